# The build of ikat.  `make help` lists what it can do.
#
# Nothing is taken from the environment: CC, CFLAGS and their like, left over in somebody's shell,
# change nothing.  What you want, say on the command line:
#
#   make COMPILER=clang MODE=debug        MODE is release, debug, asan or fuzz; scripts/mutate has its own
#   make install PREFIX=$HOME/ikat        DESTDIR is for packagers
#   make WERROR=                          a compiler newer than ours may warn of something new
#
# Every compiler and mode has a folder of its own: build/, build/clang/, build/asan/, ...

COMPILER := gcc
MODE     := release
WERROR   := -Werror
PREFIX   := /usr/local
LIBDIR   := $(PREFIX)/lib
DESTDIR  :=
T        :=
V        :=
FOR      := 60

B := build$(patsubst %,/%,$(filter-out gcc,$(notdir $(COMPILER))))$(patsubst %,/%,$(filter-out release,$(MODE)))

SANITIZE    := address,undefined,float-cast-overflow -fno-sanitize-recover=all
OPT_release := -O2 $(if $(findstring gcc,$(COMPILER)),-fvect-cost-model=dynamic)
OPT_debug   := -O0
OPT_asan    := -O1 -fno-omit-frame-pointer -fsanitize=$(SANITIZE)
OPT_fuzz    := -O1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,$(SANITIZE)
OPT_mutate  := -O1
OPT_mutate-asan := $(OPT_mutate) -fno-omit-frame-pointer -fsanitize=$(SANITIZE)
OPT_cover   := -O1 --coverage
OPT         := $(or $(OPT_$(MODE)),$(error MODE is release, debug, asan or fuzz, not '$(MODE)'))

# -ffp-contract=off: the language fixes the order of arithmetic, so no compiler may.
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
ALLC := -std=gnu11 $(OPT) -g -ffp-contract=off $(WARN) -MMD -MP
# One set of objects serves libikat.a and libikat.so.
LIBC := $(ALLC) -Isrc -Iinclude -fPIC $(if $(filter mutate%,$(MODE)),-fno-semantic-interposition -g0,-fvisibility=hidden)
LIBS := -ldl -lm -lpthread

VERSION := $(shell sed -n 's/^\#define IK_VERSION  *"\(.*\)".*/\1/p' include/ikat/version.h)
SONAME  := libikat.so.1

find = $(shell find $(1) 2>/dev/null | LC_ALL=C sort)
LIB_SRC  := $(call find,src -name '*.c')
TOOL_SRC := $(call find,tools/ikat -name '*.c')
TEST_SRC := $(call find,tests -mindepth 2 -name 'test_*.c')
FUZZ_SRC := $(call find,tests/fuzz -name 'fuzz_*.c')
# Sources of the library that exported programs take parts of, to compute the same bits.
SHARED_C := $(addprefix src/,base/bits.h base/hash.h base/num.c base/elementary.c ir/apply.c ir/bound.c ir/ir.c ir/operations.h)
EMBED    := $(call find,examples docs/codes machines src/targets/cpu/rt src/targets/plainc/rt bench/cpu bench/goals $(SHARED_C) -name '*.ik' -o -path 'docs/codes/*.md' -o -name '*.ikm' \
            -o -path '*/rt/*.h' -o -path 'bench/cpu/*.[ch]' -o -path bench/goals -o -path 'src/[bi]*/*.[ch]')
C_FILES  := $(call find,src include tools tests bench -name '*.[ch]' ! -path 'tests/golden-kernels/*/*')

objects  = $(patsubst %.c,$(B)/obj/%.o,$(1))
LIB_OBJ := $(call objects,$(LIB_SRC)) $(B)/obj/gen/embed.o
# Tests and tool hold the library; those of scripts/mutate take the one of LD_LIBRARY_PATH instead.
LINKED  := $(B)/libikat.$(if $(filter mutate%,$(MODE)),so,a)
TESTS   := $(patsubst tests/%.c,$(B)/tests/%,$(TEST_SRC))
FUZZERS := $(patsubst tests/fuzz/fuzz_%.c,$(B)/fuzz/%,$(FUZZ_SRC))

# All cores, unless the caller says how many.
MAKEFLAGS += -rR --no-print-directory $(if $(filter 0,$(MAKELEVEL)),-j$(shell nproc))
DO  := $(if $(V),,@)
say  = $(if $(V),,@echo '  $(1)  $(2)')
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all help tests install uninstall test check bench golden format format-check includes tidy \
        asan clang fuzz fuzz-smoke fuzz-bins clean FORCE

all: $(B)/libikat.a $(B)/libikat.so $(B)/ikat ## the library, static and shared, and the tool

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

# --- compile and link ---------------------------------------------------------------------------

$(B)/obj/src/%.o: src/%.c Makefile
	$(call say,CC  ,$<)
	$(DO)mkdir -p $(@D) && $(COMPILER) $(LIBC) -c -o $@ $<

$(B)/obj/gen/embed.o: build/gen/embed.c Makefile
	$(call say,CC  ,$<)
	$(DO)mkdir -p $(@D) && $(COMPILER) $(LIBC) -c -o $@ $<

# The tool sees the public header and nothing else of ours.
$(B)/obj/tools/%.o: tools/%.c Makefile
	$(call say,CC  ,$<)
	$(DO)mkdir -p $(@D) && $(COMPILER) $(ALLC) -Iinclude -c -o $@ $<

$(B)/obj/tests/%.o: tests/%.c Makefile
	$(call say,CC  ,$<)
	$(DO)mkdir -p $(@D) && $(COMPILER) $(ALLC) -Isrc -Iinclude -Itests -c -o $@ $<

# A list is rewritten only when it changes, so that a file that comes or goes rebuilds what it should.
build/gen/embed.list: names = $(EMBED)
$(B)/sources.list: names = $(LIB_SRC) $(TOOL_SRC)
build/gen/embed.list $(B)/sources.list: FORCE
	@mkdir -p $(@D); printf '%s\n' $(names) | cmp -s - $@ || printf '%s\n' $(names) > $@

build/gen/embed.c: build/gen/embed.list scripts/embed $(EMBED)
	$(call say,GEN ,$@)
	$(DO)scripts/embed $(EMBED) > $@.$(MODE).tmp && mv $@.$(MODE).tmp $@

$(B)/libikat.a: $(LIB_OBJ) $(B)/sources.list
	$(call say,AR  ,$@)
	$(DO)rm -f $@ && ar rcsD $@ $(LIB_OBJ)

$(B)/$(SONAME): $(LIB_OBJ) $(B)/sources.list
	$(call say,LINK,$@)
	$(DO)$(COMPILER) $(OPT) -shared -Wl,-soname,$(SONAME) -o $@ $(LIB_OBJ) $(LIBS)

$(B)/libikat.so: $(B)/$(SONAME)
	$(DO)ln -sf $(SONAME) $@

$(B)/ikat: $(call objects,$(TOOL_SRC)) $(LINKED) $(B)/sources.list
	$(call say,LINK,$@)
	$(DO)$(COMPILER) $(OPT) -o $@ $(filter %.o,$^) $(LINKED) $(LIBS)

tests: $(TESTS)

$(B)/tests/%: $(B)/obj/tests/%.o $(call objects,$(wildcard tests/*.c)) $(LINKED)
	$(call say,LINK,$@)
	$(DO)mkdir -p $(@D) && $(COMPILER) $(OPT) -o $@ $(filter %.o,$^) $(LINKED) $(LIBS)

# What a test has besides its own file and check.c.
$(B)/tests/random/test_random: $(call objects,tests/random/generate.c tests/random/naive.c tests/random/play.c tests/random/shrink.c)
$(B)/tests/random/test_engines: $(call objects,tests/random/edge.c tests/random/families.c tests/random/generate.c tests/random/play.c tests/random/shrink.c tests/random/trial.c)
$(B)/tests/golden-programs/test_hashes: $(call objects,tests/random/edge.c tests/random/families.c tests/random/generate.c tests/random/play.c tests/random/trial.c)
$(B)/tests/targets/simulated/wse2/test_target: $(call objects,tests/random/generate.c tests/random/play.c tests/random/trial.c)
$(B)/tests/targets/simulated/wormhole/test_random: $(call objects,tests/random/generate.c tests/random/play.c tests/random/trial.c)
$(B)/tests/targets/simulated/nero/test_random: $(call objects,tests/random/generate.c tests/random/play.c tests/random/trial.c)
$(B)/tests/targets/plainc/test_export: $(call objects,tests/random/generate.c tests/random/play.c tests/random/trial.c)
$(B)/tests/targets/simulated/nero/test_model $(B)/tests/targets/simulated/nero/test_values: $(call objects,tests/random/play.c tests/random/trial.c)
$(B)/tests/golden-kernels/test_golden $(B)/tests/targets/cpu/test_cpu $(B)/tests/targets/cpu/test_remainder $(B)/tests/targets/cpu/test_touch $(B)/tests/targets/cpu/test_compile $(B)/tests/targets/test_legal $(B)/tests/targets/cpu/test_special: $(call objects,tests/random/play.c tests/random/trial.c)
$(B)/tests/runtime/test_engine $(B)/tests/runtime/test_follow: $(call objects,tests/runtime/own.c)
# The tool, with its main() as a function.
$(B)/tests/fault/test_tool: $(call objects,tests/fault/tool_main.c $(filter-out tools/ikat/main.c,$(TOOL_SRC)))

# With MODE=fuzz libFuzzer drives; in any other mode tests/fuzz/standalone.c does.
fuzz-bins: $(FUZZERS)
FUZZ_MAIN := $(if $(filter fuzz,$(MODE)),,$(B)/obj/tests/fuzz/standalone.o)
$(B)/fuzz/%: $(B)/obj/tests/fuzz/fuzz_%.o $(FUZZ_MAIN) $(B)/libikat.a
	$(call say,LINK,$@)
	$(DO)mkdir -p $(@D) && $(COMPILER) $(if $(FUZZ_MAIN),,-fsanitize=fuzzer) $(OPT) -o $@ $^ $(LIBS)

-include $(call find,$(B)/obj -name '*.d')

# --- install ------------------------------------------------------------------------------------

TO  := $(DESTDIR)$(PREFIX)
TOL := $(DESTDIR)$(LIBDIR)

install: all ## the tool, library, header, pkg-config file, docs and examples under PREFIX
	@install -d $(TO)/bin $(TO)/include/ikat $(TOL)/pkgconfig $(TO)/share/doc/ikat $(TO)/share/ikat
	@install -m 755 $(B)/ikat $(TO)/bin/
	@install -m 644 include/ikat/*.h $(TO)/include/ikat/
	@install -m 644 $(B)/libikat.a $(TOL)/
	@install -m 755 $(B)/$(SONAME) $(TOL)/
	@ln -sf $(SONAME) $(TOL)/libikat.so
	@sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' ikat.pc.in \
	  > $(TOL)/pkgconfig/ikat.pc
	@install -m 644 README.md LICENSE $(TO)/share/doc/ikat/
	@cp -R docs $(TO)/share/doc/ikat/
	@cp -R examples $(TO)/share/ikat/
	@echo "  installed under $(TO)"

uninstall: ## what install put there
	@rm -f $(TO)/bin/ikat $(TOL)/libikat.a $(TOL)/libikat.so $(TOL)/$(SONAME) $(TOL)/pkgconfig/ikat.pc
	@rm -rf $(TO)/include/ikat $(TO)/share/doc/ikat $(TO)/share/ikat

# --- check --------------------------------------------------------------------------------------

test: ## everything that CI runs, the fast part first; ./test.sh takes some of everything
	@scripts/test --full

# T=ir/text runs tests/ir/test_text.c, T=ir/text:roundtrip one case of it, T=e2e runs tests/e2e/run.
T_WHAT := $(firstword $(subst :, ,$(T)))
T_CASE := $(word 2,$(subst :, ,$(T)))
T_RUN  := $(wildcard tests/$(T_WHAT)/run)
T_BIN  := $(B)/tests/$(dir $(T_WHAT))test_$(notdir $(T_WHAT))

check: $(if $(T_RUN),$(B)/ikat,$(if $(T),$(T_BIN))) ## one test: T=module/file, T=module/file:case, T=e2e
	@$(if $(T),,echo 'usage: make check T=module/file[:case]'; exit 2;) \
	  IKAT=$(CURDIR)/$(B)/ikat IKAT_ROOT=$(CURDIR) IKAT_BUILD=$(B) \
	  $(if $(T_RUN),$(T_RUN),$(T_BIN)) $(T_CASE)

asan: ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(MAKE) MODE=asan build/asan/ikat tests
	@scripts/run-tests build/asan

clang: ## a build with clang
	@$(MAKE) COMPILER=clang all tests

includes: ## who includes whom
	@scripts/check-includes

# --- tools --------------------------------------------------------------------------------------

format: ## lay out the C files
	@scripts/format -i $(C_FILES)

format-check: ## are the C files laid out?
	@scripts/format --dry-run --Werror $(C_FILES)

# A file is looked at again when its object is newer: objects follow their headers.
tidy: $(patsubst %.c,$(B)/tidy/%.ok,$(LIB_SRC)) ## clang-tidy on the library
$(B)/tidy/%.ok: $(B)/obj/%.o .clang-tidy
	$(call say,TIDY,$*.c)
	$(DO)mkdir -p $(@D) && clang-tidy --quiet $*.c -- -std=gnu11 -Isrc -Iinclude 2>$@.log \
	  || { cat $@.log; exit 1; }
	@touch $@

fuzz: ## look for inputs that crash: T=name, FOR=seconds for each
	@scripts/fuzz search $(FOR) $(T)

fuzz-smoke: ## the saved inputs and some thousand mutations of them
	@scripts/fuzz smoke

bench: all ## how fast the interpreter is on some of the examples
	@bench/run

golden: all $(B)/tests/golden-kernels/test_golden $(B)/tests/golden-programs/test_hashes ## write the generated documents and expected outputs anew
	@scripts/golden

clean: ## remove build/
	@rm -rf build
ifneq ($(filter clean,$(MAKECMDGOALS)),)
.NOTPARALLEL: # `make clean all` means one after the other
endif
