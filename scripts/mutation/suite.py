"""suite.py: the library built for mutants, its tests, what each takes, and which lines each runs."""
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

COVER = "build/cover"
MODES = ("mutate", "mutate-asan")  # of the build; the second has sanitizers
LIBRARY = "libikat.so.1"
COMPILER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cc")
# What these look at is not the library: the build, documents, plain loops, and this.
OTHER_SCRIPTS = {"make", "callgrind", "api", "docs", "bench", "mutate"}
# Random programs: the same few each time, and not made smaller when they fail.
FEW = {"IKAT_SEED": "1", "IKAT_COUNT": "60", "IKAT_FIRST_FAILURE": "1"}
MEMORY_BYTES, FILE_BYTES = 24 << 30, 4 << 30
# As scripts/run-tests has it; a sanitizer reserves more than any limit of memory.
SANITIZERS = {"ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=0"}


@dataclass
class Test:
    name: str      # module/file or the name of a script
    path: str      # below the folder of the build, or of the tree
    is_script: bool
    cold_s: float = 0
    warm_s: float = 0


def run_limited(command, timeout_s, memory_bytes, **more):
    """The exit status, or None after timeout_s; nothing that it started is left."""
    def limits():
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # shells ignore it in what runs behind them
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=limits, **more)
    try:
        return p.wait(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(p.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        p.wait()


def digest(*paths):
    h = hashlib.sha256()
    for p in paths:
        with open(p, "rb") as f:
            h.update(f.read())
    return h.hexdigest()[:16]


class Suite:
    def __init__(self, root, compiler, jobs, wanted, say, mode=MODES[0]):
        self.mode, self.folder = mode, f"build/{mode}"
        self.wanted = tuple(wanted)  # what names of tests begin with
        self.root, self.compiler, self.jobs, self.say = os.path.abspath(root), compiler, jobs, say
        self.tests, self.lines = [], None
        self.compiled = self.at(self.folder, "compiled")
        self.environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}

    def at(self, *parts):
        return os.path.join(self.root, *parts)

    # ---- build ----

    def make(self, mode, *more):
        return subprocess.run(["make", f"MODE={mode}", f"COMPILER={self.compiler}", "WERROR=",
                               f"-j{self.jobs}", *more], cwd=self.root, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)

    @property
    def is_sanitized(self):
        return self.mode != MODES[0]

    def build(self, mode):
        done = self.make(mode, "all", "tests")
        if done.returncode:
            raise SystemExit(f"make MODE={mode} failed:\n{done.stdout[-3000:]}")
        os.makedirs(self.compiled, exist_ok=True)
        os.makedirs(self.at(self.folder, "bin"), exist_ok=True)
        for name in ("cc", "gcc"):
            shutil.copy2(COMPILER, self.at(self.folder, "bin", name))

    def command(self, changed, target, mark):
        """How the Makefile would make `target` if `changed` were newer: the line that has `mark`."""
        said = self.make(self.mode, "-n", "V=1", "-W", changed, target).stdout
        lines = [line for line in said.split("\n") if mark in line and target in line]
        if not lines:
            raise SystemExit(f"make -n says nothing of {target}:\n{said}")
        return lines[0].split("&&")[-1].split()

    def compile_command(self, path, to):
        """Of a text on standard input that is to be taken for the file."""
        obj = f"{self.folder}/obj/{path[:-2]}.o"
        words = [w for w in self.command(path, obj, " -c ") if w not in ("-MMD", "-MP", path)]
        return [to if w == obj else w for w in words] + ["-w", "-x", "c", "-"]

    def link_command(self, path, obj, to):
        old, lib = f"{self.folder}/obj/{path[:-2]}.o", f"{self.folder}/{LIBRARY}"
        return [{old: obj, lib: to}.get(w, w) for w in self.command(old, lib, " -shared ")]

    # ---- tests ----

    def find_tests(self):
        for folder in sorted(os.listdir(self.at("tests"))):
            here = self.at("tests", folder)
            if not os.path.isdir(here):
                continue
            for name in sorted(os.listdir(here)):
                if name.startswith("test_") and name.endswith(".c"):
                    self.tests.append(Test(f"{folder}/{name[5:-2]}", f"tests/{folder}/{name[:-2]}", False))
                elif name == "run" and folder not in OTHER_SCRIPTS:
                    self.tests.append(Test(folder, f"tests/{folder}/run", True))
        self.tests = [t for t in self.tests if not self.wanted or t.name.startswith(self.wanted)]

    def run_test(self, test, build, folder, timeout_s, library=None, more=None):
        """True if it passes.  What it leaves behind is in `folder`."""
        os.makedirs(os.path.join(folder, "tmp"), exist_ok=True)
        env = dict(self.environment, **FEW, IKAT_ROOT=self.root, IKAT_BUILD=build,
                   IKAT=self.at(build, "ikat"), TMPDIR=os.path.join(folder, "tmp"),
                   LD_LIBRARY_PATH=library or self.at(build), IKAT_COMPILED=self.compiled,
                   IKAT_COMPILER=shutil.which(self.compiler), IKAT_PATH=os.environ["PATH"],
                   PATH=self.at(self.folder, "bin") + ":" + os.environ["PATH"],
                   XDG_CACHE_HOME=os.path.join(folder, "cache"),
                   XDG_DATA_HOME=os.path.join(folder, "data"), **SANITIZERS, **(more or {}))
        path = self.at(test.path) if test.is_script else self.at(build, test.path)
        with open(os.path.join(folder, "log"), "wb") as log:
            memory_bytes = resource.RLIM_INFINITY if self.is_sanitized else MEMORY_BYTES
            return run_limited([path], timeout_s, memory_bytes, cwd=self.root, env=env, stdout=log,
                               stderr=subprocess.STDOUT) == 0

    def each_test(self, work):
        """The slow ones first, lest one core is left with them."""
        tests = sorted(self.tests, key=lambda t: (t.name != "emit/kernels", not t.is_script, t.name))
        with ThreadPoolExecutor(self.jobs) as pool:
            return dict(zip([t.name for t in tests], pool.map(work, tests)))

    def measure(self, slowest_s):
        """Runs all tests twice, without and with kernels that are compiled already; those that fail or
        take too long are left out."""
        ok = {}
        for times, timeout_s in (("cold_s", 12 * slowest_s), ("warm_s", 2 * slowest_s)):
            def one(t, times=times, timeout_s=timeout_s):
                folder = self.at(self.folder, "baseline", t.name.replace("/", ","))
                os.makedirs(folder, exist_ok=True)
                start = time.monotonic()
                good = self.run_test(t, self.folder, folder, timeout_s)
                setattr(t, times, time.monotonic() - start)
                return good
            ok.update(self.each_test(one))
            self.tests = [t for t in self.tests if ok[t.name]]
        for name in sorted(n for n in ok if not ok[n]):
            self.say(f"left out, since it fails or takes too long without any mutant: {name}")

    def cache_of(self, test):
        return self.at(self.folder, "baseline", test.name.replace("/", ","), "cache")

    def digest_of_tests(self):
        return digest(*[self.at(t.path) if t.is_script else self.at(self.folder, t.path)
                        for t in self.tests])

    def baseline(self, slowest_s):
        """As measured before, if the library and the tests are what they were."""
        self.find_tests()
        kept, key = self.at(self.folder, "baseline.json"), self.digest_of_tests()
        key += f"{digest(self.at(self.folder, LIBRARY))} {self.jobs} {slowest_s}"
        old = read_json(kept)
        if old.get("key") != key:
            shutil.rmtree(self.at(self.folder, "baseline"), ignore_errors=True)
            self.measure(slowest_s)
            write_json(kept, {"key": key, "tests": [t.__dict__ for t in self.tests]})
        else:
            self.tests = [Test(**t) for t in old["tests"]]
        for t in [t for t in self.tests if t.warm_s > slowest_s]:
            self.say(f"left out, since it takes {t.warm_s:.0f} s: {t.name}")
        self.tests = [t for t in self.tests if t.warm_s <= slowest_s]

    # ---- which lines a test runs ----

    def files(self, folder):
        """All files below a folder of the tree."""
        return sorted(os.path.join(here, n) for here, _, names in os.walk(self.at(folder)) for n in names)

    def cover_one(self, test, timeout_s):
        """Lines by file that the test runs."""
        folder = self.at(COVER, "runs", test.name.replace("/", ","))
        os.makedirs(folder, exist_ok=True)
        depth = len([p for p in self.root.split("/") if p])
        self.run_test(test, COVER, folder, timeout_s,
                      more={"GCOV_PREFIX": folder, "GCOV_PREFIX_STRIP": str(depth)})
        found = lines_of(folder, self.root)
        shutil.rmtree(folder, ignore_errors=True)
        return found

    def cover(self, timeout_s):
        """{file: {line: [tests]}}, and None where there is no gcov."""
        if not shutil.which("gcov"):
            self.say("no gcov: tests are taken by module alone")
            return
        kept, key = self.at(COVER, "lines.json"), digest(*self.files("src"), *self.files("tests"))
        names, old = {t.name for t in self.tests}, read_json(kept)
        if old.get("key") == key and names <= set(old["tests"]):
            self.lines = old["lines"]
            return
        self.build("cover")
        self.lines = {}
        found = self.each_test(lambda t: self.cover_one(t, timeout_s))
        for name, files in found.items():
            for path, numbers in files.items():
                of_file = self.lines.setdefault(path, {})
                for n, count in numbers.items():
                    of_file.setdefault(str(n), []).extend([name] if count else [])
        write_json(kept, {"key": key, "tests": sorted(names), "lines": self.lines})

    def reaching(self, path, line, begin):
        """Names of the tests that run the line; where it has no code, the last before that has."""
        of_file = (self.lines or {}).get(path, {})
        while line > begin and str(line) not in of_file:
            line -= 1
        return set(of_file.get(str(line), []))

    # ---- which tests concern a mutant ----

    def tests_of(self, mutant, begin):
        """Those of the file and the module first, then the others, the cheapest first."""
        module = mutant.path.split("/")[1] if mutant.path.count("/") > 1 else ""
        own = f"{module}/{os.path.basename(mutant.path)[:-2]}"
        reach = self.reaching(mutant.path, mutant.line, begin)
        by_module = self.lines is None or not reach
        out = [t for t in self.tests if t.name in reach or self.lines is None
               or (by_module and t.name.split("/")[0] == module)]
        return sorted(out, key=lambda t: (t.name != own, t.warm_s > 1, t.warm_s)), bool(reach)


def lines_of(folder, root):
    """What gcov says of the counters in a folder: {file: {line: count}}."""
    data = []
    for here, _, names in os.walk(os.path.join(folder, COVER, "obj", "src")):
        for n in names:
            if n.endswith(".gcda"):
                data.append(os.path.join(here, n))
                note = data[-1][len(folder) + 1:-5] + ".gcno"
                os.symlink(os.path.join(root, note), data[-1][:-5] + ".gcno")
    if not data:
        return {}
    said = subprocess.run(["gcov", "--json-format", "--stdout", *data], cwd=root,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    out = {}
    for document in said.split("\n"):
        for f in json.loads(document)["files"] if document.strip() else []:
            if f["file"].startswith("src/") and f["file"].endswith(".c"):
                counts = out.setdefault(f["file"], {})
                for line in f["lines"]:
                    n = line["line_number"]
                    counts[n] = counts.get(n, 0) + line["count"]
    return out


def read_json(path):
    try:
        with open(path, encoding="utf-8") as f:
            return json.load(f)
    except (OSError, ValueError):
        return {}


def write_json(path, value):
    with open(path + ".new", "w", encoding="utf-8") as f:
        json.dump(value, f)
    os.replace(path + ".new", path)
