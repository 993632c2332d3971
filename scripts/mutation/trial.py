"""trial.py: one mutant: compiled, linked into a library of its own, and shown to the tests."""
import hashlib
import os
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass

from . import source
from .suite import LIBRARY

KILLED, SURVIVED, UNREACHED = "killed", "survived", "not reached"
SAME_CODE, SAME_AS, LISTED = "same code", "same as", "equivalent"
NOT_C, UNDECIDED = "does not compile", "undecided"


@dataclass
class Result:
    outcome: str
    by: str = ""        # the test that noticed, or the reason
    seconds: float = 0


class File:
    """What all mutants of a file share."""

    def __init__(self, suite, path):
        with open(suite.at(path), encoding="utf-8") as f:
            self.text = f.read()
        self.path, self.lock, self.first_with = path, threading.Lock(), {}
        src = source.read(path, self.text)
        self.begin = {f.name: src.line_of(src.tokens[f.first].at) for f in src.functions}
        self.compile_command = suite.compile_command(path, "OBJECT")
        self.link_command = suite.link_command(path, "OBJECT", "LIBRARY")

    def claim(self, code, name):
        """Whose code this is: the first mutant that has it."""
        with self.lock:
            return self.first_with.setdefault(code, name)


class Trials:
    def __init__(self, suite, deadline):
        self.suite, self.deadline = suite, deadline
        self.files, self.lock = {}, threading.Lock()

    def left_s(self):
        return self.deadline - time.monotonic()

    def compile(self, f, text, obj):
        """The code, or None if it is not C."""
        done = subprocess.run([obj if w == "OBJECT" else w for w in f.compile_command],
                              input=f'# 1 "{f.path}"\n{text}', text=True, cwd=self.suite.root,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode:
            return None
        with open(obj, "rb") as o:
            return hashlib.sha256(o.read()).hexdigest()

    def file_of(self, path, folder):
        with self.lock:
            if path not in self.files:
                f = self.files[path] = File(self.suite, path)
                code = self.compile(f, f.text, os.path.join(folder, "mutant.o"))
                if not code:
                    raise SystemExit(f"{path} does not compile as it is")
                f.claim(code, "")
            return self.files[path]

    def link(self, f, folder):
        words = {"OBJECT": os.path.join(folder, "mutant.o"), "LIBRARY": os.path.join(folder, LIBRARY)}
        subprocess.run([words.get(w, w) for w in f.link_command], cwd=self.suite.root, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def passes(self, test, folder):
        """None if there is no time to say."""
        room = os.path.join(folder, "room")
        shutil.rmtree(room, ignore_errors=True)
        os.makedirs(room)
        if os.path.isdir(self.suite.cache_of(test)):
            subprocess.run(["cp", "-al", self.suite.cache_of(test), room], check=True)
        timeout_s = min(10 + 5 * test.cold_s, max(self.left_s(), 0.1))
        ok = self.suite.run_test(test, self.suite.folder, room, timeout_s, folder)
        return ok if ok or self.left_s() > 0 else None

    def show(self, mutant, f, folder):
        tests, reached = self.suite.tests_of(mutant, f.begin[mutant.function])
        for t in tests:
            ok = self.passes(t, folder)
            if ok is None:
                return Result(UNDECIDED)
            if not ok:
                return Result(KILLED, t.name)
        return Result(SURVIVED if reached or self.suite.lines is None else UNREACHED)

    def judge(self, mutant, folder):
        f = self.file_of(mutant.path, folder)
        code = self.compile(f, mutant.applied(f.text), os.path.join(folder, "mutant.o"))
        if not code:
            return Result(NOT_C)
        other = f.claim(code, mutant.id)
        if other != mutant.id:
            return Result(SAME_AS, other) if other else Result(SAME_CODE)
        self.link(f, folder)
        return self.show(mutant, f, folder)

    def of(self, mutant, folder):
        if self.left_s() <= 0:
            return Result(UNDECIDED)
        os.makedirs(folder, exist_ok=True)
        start = time.monotonic()
        result = self.judge(mutant, folder)
        result.seconds = round(time.monotonic() - start, 1)
        return result
