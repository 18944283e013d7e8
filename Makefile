# SPDX-License-Identifier: MIT
#
# GNU make, this one file. `make help` lists the targets; what they take:
#   V=1 shows commands      WERROR=1 makes warnings errors     SANITIZE=1 is address,undefined
#   CC=, CFLAGS=, LDFLAGS=  as everywhere; CFLAGS come last    SANITIZE=thread and others too
#   HAVE_LIBIBERTY=0        builds without an optional library
#   T='suite/test'          the unit tests to run              CORPUS=DIR  more captures to read
#   FUZZ_SECONDS=60         per fuzz target                    COUNT=20  of damages, twice a capture
#   FUZZ_SEED=1             the same fuzzing again             DESTDIR=, PREFIX=  for install

NAME       := kiln
VERSION    := 0.1.0
# Lower layers first, as in layers.txt.
LIB_DIRS   := base compress libparse \
	$(addprefix libparse/,perf tracepoint script bpftrace bcc ftrace folded svg stat) \
	object unwind dwarf process profile profile/selection profile/tree \
	symbolise $(addprefix symbolise/,elf kernel jit demangle) offcpu diff diff/align \
	render render/svg render/diff render/text session cli compat
PREFIX     ?= /usr/local
PKG_CONFIG ?= pkg-config
CLANG      ?= clang
CFLAGS     ?= -O2 -g
FUZZ_SECONDS ?= 60

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SUFFIXES:
all:

# One object tree per configuration, so that switching compiler or sanitizer never mixes objects.
comma    := ,
SAN_1    := address,undefined
SAN      := $(filter-out 0,$(or $(SAN_$(SANITIZE)),$(SANITIZE)))
COMPILER := $(filter-out cc gcc,$(notdir $(firstword $(CC))))
B        ?= build/$(if $(SAN),$(subst $(comma),-,$(SAN)),release)$(COMPILER:%=-%)

LIBRARIES := libelf libxxhash
MISSING   := $(shell for l in $(LIBRARIES); do $(PKG_CONFIG) --exists $$l || echo $$l; done)
LIB_CFLAGS := $(if $(MISSING),,$(shell $(PKG_CONFIG) --cflags $(LIBRARIES)))
# xxHash is used inline, from its header alone.
LDLIBS    += -lm -ldl $(if $(MISSING),,$(shell $(PKG_CONFIG) --libs $(filter-out libxxhash,$(LIBRARIES))))

# Optional libraries: probed, and overridable. libiberty has no .pc file.
HAVE_ZSTD ?= $(if $(shell $(PKG_CONFIG) --exists 'libzstd >= 1.4' && echo 1),1,0)
ifeq ($(HAVE_ZSTD),1)
LIB_CFLAGS += -DHAVE_ZSTD $(shell $(PKG_CONFIG) --cflags libzstd)
LDLIBS     += $(shell $(PKG_CONFIG) --libs libzstd)
endif
HAVE_LZMA ?= $(if $(shell $(PKG_CONFIG) --exists liblzma && echo 1),1,0)
ifeq ($(HAVE_LZMA),1)
LIB_CFLAGS += -DHAVE_LZMA $(shell $(PKG_CONFIG) --cflags liblzma)
LDLIBS     += $(shell $(PKG_CONFIG) --libs liblzma)
endif
compiles   = $(shell printf '%s\n' '$(1)' | $(CC) $(CPPFLAGS) -x c -o /dev/null - $(LDFLAGS) $(2) \
	       2>/dev/null && echo 1 || echo 0)
ifndef HAVE_LIBIBERTY
HAVE_LIBIBERTY := $(call compiles,char *cplus_demangle(const char *$(comma) int); \
		    int main(void) { return !cplus_demangle("_Z1fv"$(comma) 1); },-liberty)
endif
ifeq ($(HAVE_LIBIBERTY),1)
LIB_CFLAGS += -DHAVE_LIBIBERTY
LDLIBS     += -liberty
endif

HAVE_ZLIB ?= $(if $(shell $(PKG_CONFIG) --exists zlib && echo 1),1,0)
ifeq ($(HAVE_ZLIB),1)
LIB_CFLAGS += -DHAVE_ZLIB $(shell $(PKG_CONFIG) --cflags zlib)
LDLIBS     += $(shell $(PKG_CONFIG) --libs zlib)
endif
HAVE_LIBARCHIVE ?= $(if $(shell $(PKG_CONFIG) --exists 'libarchive >= 3.3' && echo 1),1,0)
ifeq ($(HAVE_LIBARCHIVE),1)
LIB_CFLAGS += -DHAVE_LIBARCHIVE $(shell $(PKG_CONFIG) --cflags libarchive)
LDLIBS     += $(shell $(PKG_CONFIG) --libs libarchive)
endif

HAVE_LIBXML2 ?= $(if $(shell $(PKG_CONFIG) --exists libxml-2.0 && echo 1),1,0)
ifeq ($(HAVE_LIBXML2),1)
LIB_CFLAGS += -DHAVE_LIBXML2 $(shell $(PKG_CONFIG) --cflags libxml-2.0)
LDLIBS     += $(shell $(PKG_CONFIG) --libs libxml-2.0)
endif

HAVE_LIBDW ?= $(if $(shell $(PKG_CONFIG) --exists 'libdw >= 0.188' && echo 1),1,0)
ifeq ($(HAVE_LIBDW),1)
LIB_CFLAGS += -DHAVE_LIBDW $(shell $(PKG_CONFIG) --cflags libdw)
LDLIBS     += $(shell $(PKG_CONFIG) --libs libdw)
endif
HAVE_LIBDEFLATE ?= $(if $(shell $(PKG_CONFIG) --exists libdeflate && echo 1),1,0)
ifeq ($(HAVE_LIBDEFLATE),1)
LIB_CFLAGS += -DHAVE_LIBDEFLATE $(shell $(PKG_CONFIG) --cflags libdeflate)
LDLIBS     += $(shell $(PKG_CONFIG) --libs libdeflate)
endif

# 32-bit machines too have files beyond 2 GB, and inodes whose numbers need 64 bits. And all of them
# round alike: a multiplication and an addition stay two operations where a processor can do both at once.
FORTIFY := $(if $(SAN),,$(if $(filter -O1 -O2 -O3 -Os -Og,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
ALL_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 -I. -DVERSION='"$(VERSION)"' $(FORTIFY) $(LIB_CFLAGS) $(CPPFLAGS)
# The older unit of 32-bit x86 keeps more digits than a double has, and what is rounded from them differs.
SAME_DOUBLES := $(if $(filter i386-% i486-% i586-% i686-%,$(shell $(CC) -dumpmachine 2>/dev/null)),-msse2 -mfpmath=sse)
ALL_CFLAGS   := -std=gnu11 -Wall -Wextra -Wshadow -Wvla -Wmissing-prototypes -Wstrict-prototypes \
		-Wpointer-arith -Wimplicit-fallthrough $(if $(filter 1,$(WERROR)),-Werror) \
		-pthread -fPIE -fstack-protector-strong -fno-omit-frame-pointer -ffp-contract=off $(SAME_DOUBLES) \
		$(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all) $(CFLAGS)
ALL_LDFLAGS  := -pthread -pie -Wl,-z,relro,-z,now $(if $(SAN),-fsanitize=$(SAN)) $(LDFLAGS)

objects  = $(patsubst %.c,$(B)/%.o,$(sort $(wildcard $(1))))
LIB_OBJ     := $(call objects,$(LIB_DIRS:%=%/*.c))
TOOL_OBJ    := $(call objects,tools/*.c)
UNIT_OBJ    := $(call objects,tests/unit/*.c)
SUPPORT_OBJ := $(filter-out $(B)/tests/support/main_%,$(call objects,tests/support/*.c))
FUZZ_OBJ    := $(call objects,tests/fuzz/fuzz_*.c)
FUZZERS     := $(FUZZ_OBJ:$(B)/tests/fuzz/%.o=%)
LIB         := $(B)/lib$(NAME).a
MAN         := $(sort $(wildcard man/*.[1-8]))

Q    := $(if $(V),,@)
say   = $(if $(V),,@printf '  %-6s %s\n' '$(1)' '$(2)')
link  = $(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@

## all: ./kiln (the default)
all: $(NAME)
# The copy at the top is the last configuration built, whichever is older.
$(NAME): $(B)/$(NAME) FORCE
	@cmp -s $< $@ || cp -f $< $@

$(B)/$(NAME): $(TOOL_OBJ) $(LIB)
	$(call say,LD,$@)
	$(link) $^ $(LDLIBS)
$(LIB): $(LIB_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(OWN_CFLAGS) -MMD -MP -c -o $@ $<
# Every SVG embeds the viewer: one script of these files, and one style, both without comments and indentation.
# So the script stays readable in the SVG. Shorter names as well would save 13 kB of a 60 kB SVG (of a gzipped one
# 1.7 kB), and take a JavaScript minifier in the build.
# The order is that of what files do when loaded: find the elements of the SVG, create those of the viewer, listen.
# Functions may call any other.
VIEWER := elements model comparison nodes rects details search view paths draw cursor fit keyboard main
VIEWER := $(VIEWER:%=render/svg/viewer/%.js)
$(if $(filter-out $(VIEWER),$(wildcard render/svg/viewer/*.js)),$(error VIEWER lacks some of render/svg/viewer/*.js))
ASSETS := $(B)/render/svg/viewer/viewer.js $(B)/render/svg/viewer/viewer.css
$(B)/render/svg/viewer/viewer.js: $(VIEWER)
	@mkdir -p $(@D)
	$(Q){ echo '/* SPDX-License-Identifier: MIT */'; echo '(function () {'; echo '"use strict";'; \
		cat $^ | sed -e 's|/\*.*\*/$$||' -e '\|^[[:space:]]*/\*|,\|\*/$$|d' -e 's/^[[:space:]]*//' -e '/^$$/d'; \
		echo '})();'; } > $@.tmp && mv $@.tmp $@
$(B)/render/svg/viewer/viewer.css: render/svg/viewer/viewer.css
	@mkdir -p $(@D)
	$(Q)sed -e '1n' -e 's|^/\*.*\*/$$||' -e 's/^[[:space:]]*//' -e 's/\([{};:,]\) /\1/g' -e 's/ \([{}]\)/\1/g' \
		-e 's/;}/}/g' -e '/^$$/d' $< > $@
$(B)/render/svg/svg_style.o: OWN_CFLAGS = -DASSETS='"$(B)/render/svg/viewer/"'
$(B)/render/svg/svg_style.o: $(ASSETS)

# Changed flags rebuild everything, unchanged flags nothing.
FLAGS := $(subst ','\'',$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS))
$(B)/flags: FORCE
	$(if $(MISSING),$(error missing: $(MISSING) (Debian: libelf-dev libxxhash-dev pkg-config; or run ./bootstrap)))
	@mkdir -p $(@D)
	@printf '%s\n' '$(FLAGS)' | cmp -s - $@ || printf '%s\n' '$(FLAGS)' > $@

## demo: draw a recorded capture into demo.svg, and say what is in it
demo: $(NAME)
	@./$(NAME) flame --summary --symbols tests/fixtures/demo/symbols \
		tests/fixtures/demo/perf.data -o demo.svg
	@echo "picture: $(CURDIR)/demo.svg (open it in a browser)"

## check: all tests and lint; ends in one line, N passed, N failed
CHECKS := lint check-unit check-replay check-cli $(if $(CORPUS),check-corpus)
check:
	+@tests/support/sum-checks "$(MAKE)" $(CHECKS)

## check-unit: Criterion tests of the modules; T='suite/test' picks some
check-unit: $(B)/unit
	@tests/support/run-unit $< $(if $(T),--filter '$(T)')
UNIT_LIBS   := $(shell $(PKG_CONFIG) --libs criterion libxml-2.0 jansson 2>/dev/null)
UNIT_CFLAGS := $(shell $(PKG_CONFIG) --cflags criterion libxml-2.0 jansson 2>/dev/null)
NEED_UNIT = $(if $(UNIT_LIBS),,$(error \
	the unit tests need Criterion, libxml2 and jansson (Debian: libcriterion-dev libxml2-dev libjansson-dev)))
$(UNIT_OBJ): OWN_CFLAGS = $(NEED_UNIT)$(UNIT_CFLAGS)
$(B)/unit: $(UNIT_OBJ) $(SUPPORT_OBJ) $(filter-out %/main.o,$(TOOL_OBJ)) $(LIB)
	$(call say,LD,$@)
	$(link) $^ $(LDLIBS) $(NEED_UNIT)$(UNIT_LIBS)

## check-cli: whole commands, tests/cli
check-cli: $(B)/$(NAME)
	@KILN='$(abspath $<)' tests/cli/run $(T)

## check-replay: the fuzz targets over their seeds, with any compiler
check-replay: $(FUZZERS:fuzz_%=$(B)/replay_%)
	@tests/support/run-replay $^
$(B)/replay_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/support/main_replay.o $(SUPPORT_OBJ) $(LIB)
	$(call say,LD,$@)
	$(link) $^ $(LDLIBS)

## check-browser: pictures in headless Chromium; ./bootstrap gets what it takes
check-browser: $(B)/$(NAME)
	@KILN='$(abspath $<)' tests/browser/run

## check-corpus: a folder of more captures with what is expected of them, CORPUS=DIR
check-corpus: $(B)/$(NAME)
	@KILN='$(abspath $<)' tests/corpus/run '$(CORPUS)'

## check-damage: every capture cut at COUNT places and changed in COUNT ways; also those of CORPUS
COUNT ?= 20
# Of a capture that is a folder, each part.
FOLDERS  = $(patsubst %/data,%,$(wildcard tests/fixtures/*/perf.data/data))
CAPTURES = $(sort $(filter-out $(FOLDERS),$(wildcard tests/fixtures/*/perf.data*)) \
	$(wildcard $(FOLDERS:%=%/data*) $(if $(CORPUS),$(CORPUS)/perf/*.data)))
check-damage: $(B)/$(NAME) $(B)/damage
	@$(B)/damage '$(abspath $<)' $(COUNT) $(B)/damaged $(CAPTURES)
$(B)/damage: $(B)/tests/support/main_damage.o $(SUPPORT_OBJ) $(LIB)
	$(call say,LD,$@)
	$(link) $^ $(LDLIBS)

## check-cross: the tests on emulated machines, big-endian and 32-bit; ./bootstrap gets what it takes
check-cross: $(B)/$(NAME)
	+@tests/cross/run '$(MAKE)' '$(abspath $<)' $(if $(CORPUS),'$(CORPUS)')

## fuzz: run each fuzz target for FUZZ_SECONDS (needs clang)
fuzz:
	+@$(MAKE) --no-print-directory CC='$(CLANG)' SANITIZE=fuzzer-no-link,address,undefined \
		B=build/fuzz run-fuzz
run-fuzz: $(FUZZERS:%=$(B)/%)
	@tests/fuzz/run $(FUZZ_SECONDS) $^
$(B)/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(SUPPORT_OBJ) $(LIB)
	$(call say,LD,$@)
	$(link) -fsanitize=fuzzer $^ $(LDLIBS)

## bench: time kiln against the Perl pipeline on a capture recorded here (needs perf, as root)
bench: $(NAME)
	@KILN='$(CURDIR)/$(NAME)' tests/bench/run
## bench-stacks: time the following of copied stacks beside perf and hotspot (needs perf and g++)
bench-stacks: $(NAME)
	@KILN='$(CURDIR)/$(NAME)' tests/bench/run-stacks
## bench-pairs: whether kiln diff is right about pairs, simulated and recorded here (needs gcc and perf, as root)
bench-pairs: $(NAME) $(B)/verdict-rates
	@$(B)/verdict-rates
	@KILN='$(CURDIR)/$(NAME)' tests/bench/pairs
$(B)/verdict-rates: $(B)/tests/bench/verdict-rates.o $(SUPPORT_OBJ) $(LIB)
	$(call say,LD,$@)
	$(link) $^ $(LDLIBS)
## bench-libraries: time the names of a capture that touches 200 libraries (needs gcc and perf)
bench-libraries: $(NAME)
	@KILN='$(CURDIR)/$(NAME)' tests/bench/libraries

## lint: layers, licence lines, man pages, forbidden calls, file lengths
lint:
	@tests/support/lint

## format: clang-format every source file in place; format-check: only say which differ
SOURCES = $(wildcard $(foreach d,$(LIB_DIRS) tools tests/unit tests/support tests/fuzz \
	tests/cross tests/cross/criterion,$(d)/*.[ch]))
format:
	clang-format -i $(SOURCES)
format-check:
	clang-format --dry-run -Werror $(SOURCES)

## install: kiln and its man pages under $(DESTDIR)$(PREFIX); uninstall: take them away again
install: $(B)/$(NAME)
	install -D -m 755 $< '$(DESTDIR)$(PREFIX)/bin/$(NAME)'
	$(foreach m,$(MAN),install -D -m 644 $(m) \
		'$(DESTDIR)$(PREFIX)/share/man/man$(subst .,,$(suffix $(m)))/$(notdir $(m))' &&) :
## install-compat: links by the names of other tools, in $(COMPAT_DIR); put that folder into PATH
COMPAT_DIR ?= $(PREFIX)/lib/$(NAME)/compat
COMPAT     := stackcollapse-perf.pl stackcollapse-bpftrace.pl stackcollapse-perf-sched.awk \
	flamegraph.pl difffolded.pl inferno-collapse-perf inferno-flamegraph inferno-diff-folded
install-compat: install
	mkdir -p '$(DESTDIR)$(COMPAT_DIR)'
	$(foreach c,$(COMPAT),ln -sf '$(PREFIX)/bin/$(NAME)' '$(DESTDIR)$(COMPAT_DIR)/$(c)' &&) :
uninstall:
	$(foreach c,$(COMPAT),rm -f '$(DESTDIR)$(COMPAT_DIR)/$(c)' &&) :
	rm -f '$(DESTDIR)$(PREFIX)/bin/$(NAME)'
	$(foreach m,$(MAN),rm -f \
		'$(DESTDIR)$(PREFIX)/share/man/man$(subst .,,$(suffix $(m)))/$(notdir $(m))' &&) :

## dist: kiln-VERSION.tar.gz of the committed tree
dist:
	git archive --prefix=$(NAME)-$(VERSION)/ -o $(NAME)-$(VERSION).tar.gz HEAD

## clean: remove what was built
clean:
	rm -rf build $(NAME) $(NAME)-*.tar.gz demo.svg

## help: this list
help:
	@sed -n 's/^## //p' Makefile | awk -F': ' '{ printf "  %-14s %s\n", $$1, substr($$0, length($$1) + 3) }'

FORCE:
.SECONDARY:
.PHONY: FORCE all demo check check-unit check-cli check-replay check-corpus check-cross check-browser \
	check-damage fuzz run-fuzz bench bench-libraries bench-pairs bench-stacks \
	lint format format-check install install-compat uninstall dist clean help
-include $(patsubst %.o,%.d,$(LIB_OBJ) $(TOOL_OBJ) $(UNIT_OBJ) $(FUZZ_OBJ) \
	$(call objects,tests/support/*.c tests/bench/*.c))
