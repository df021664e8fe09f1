# diagnose: build, set-up, tests. `make help` lists the targets.
VERSION := 0.1.0
BUILD   ?= build
PREFIX  ?= /usr/local
CC      ?= cc
CFLAGS  ?= -O2 -g
PKG_CONFIG ?= pkg-config
PYTHON  ?= python3

PACKAGES := libcurl libcjson libpcre2-8 libmicrohttpd libssl libcrypto sqlite3
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Wstrict-prototypes \
            -Wwrite-strings -Wcast-qual -Wpointer-arith -Wvla -Wformat=2 -Wundef
ifeq ($(WERROR),1)
WARNINGS += -Werror
endif

# Empty where the libraries are not installed yet: `make deps` and `make run` install them and then call make again.
PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null)
PKG_LIBS   := $(shell $(PKG_CONFIG) --libs $(PACKAGES) 2>/dev/null)
override CPPFLAGS += -Isrc -D_GNU_SOURCE -DDIAGNOSE_VERSION='"$(VERSION)"'
# A build of a recipe's own uses every processor, unless make was told otherwise.
PARALLEL = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))
# V=1 shows whole commands.
QUIET = $(if $(V),,@echo '  $(1)  $@';)
COMPILE = $(CC) -std=c11 $(CPPFLAGS) $(PKG_CFLAGS) $(WARNINGS) $(CFLAGS) -MMD -MP

SOURCES  := $(filter-out src/bake/%,$(wildcard src/*/*.c))
RULES    := $(sort $(wildcard rules/*.toml rules/*/*.toml))
OBJECTS  := $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/gen/built.o
BAKE     := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/bake/*.c))
BAKED_BY := $(patsubst %.c,$(BUILD)/%.o,$(wildcard $(addsuffix /*.c,$(addprefix src/,base core syntax rules classify))))
MAIN     := $(BUILD)/src/main.o
UNITS    := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/*_test.c))

.PHONY: all run check check-peers deps check-deps install uninstall asan fuzz tidy bench clean help
.DELETE_ON_ERROR:

all: $(BUILD)/diagnose

$(BUILD)/diagnose: $(MAIN) $(OBJECTS)
	$(call QUIET,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(LDLIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call QUIET,CC)$(COMPILE) -c -o $@ $<

# The rule table as constants: a program made of the rooms that read rules writes it. Of those only what it needs is
# linked, for the rest wants the table. built.c keeps its time when nothing in it changed; the name list is there so
# that a removed file is noticed. The rows name no members, so the compiler must miss those that are left out.
$(BUILD)/gen/built.o: $(BUILD)/gen/built.c
	$(call QUIET,CC)$(COMPILE) -Wno-overlength-strings -Werror=missing-field-initializers -c -o $@ $<

$(BUILD)/gen/built.c: $(BUILD)/gen/built.stamp ;

$(BUILD)/gen/built.stamp: $(BUILD)/gen/bake $(RULES) $(BUILD)/gen/rules.list
	$(call QUIET,BAKE)$< $@.c $(RULES)
	@cmp -s $@.c $(BUILD)/gen/built.c || cp $@.c $(BUILD)/gen/built.c
	@mv $@.c $@

$(BUILD)/gen/bake: $(BAKE) $(BAKED_BY)
	@mkdir -p $(@D)
	@rm -f $(BUILD)/gen/rooms.a
	@$(AR) rcs $(BUILD)/gen/rooms.a $(BAKED_BY)
	$(call QUIET,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(BAKE) $(BUILD)/gen/rooms.a $(PKG_LIBS) $(LDLIBS)

$(BUILD)/gen/rules.list: FORCE
	@mkdir -p $(@D)
	@echo '$(RULES)' | cmp -s - $@ || echo '$(RULES)' > $@
FORCE:

$(BUILD)/unit/%_test: tests/unit/%_test.c $(OBJECTS) $(BUILD)/src/bake/layout.o
	@mkdir -p $(@D)
	$(call QUIET,CC)$(COMPILE) -o $@ $< $(OBJECTS) $(BUILD)/src/bake/layout.o $(LDFLAGS) $(PKG_LIBS) $(shell $(PKG_CONFIG) --libs cmocka) $(LDLIBS)

$(BUILD)/toml_conformance: $(wildcard tests/conformance/*.c) $(OBJECTS)
	$(call QUIET,CC)$(COMPILE) -o $@ $(filter %.c,$^) $(OBJECTS) $(LDFLAGS) $(PKG_LIBS) $(LDLIBS)

$(BUILD)/loggen: tests/bench/gen.c
	$(call QUIET,CC)$(COMPILE) -o $@ $<

$(BUILD)/bare: tests/bench/bare.c
	$(call QUIET,CC)$(COMPILE) -o $@ $< $(LDFLAGS) $(PKG_LIBS) $(LDLIBS)

unit: $(UNITS)

# ---- set-up: Debian packages, installed only where missing ----

DEBIAN_BUILD := gcc make pkg-config libc6-dev libcurl4-openssl-dev libcjson-dev libpcre2-dev libmicrohttpd-dev \
                libssl-dev libsqlite3-dev ca-certificates
DEBIAN_CHECK := libcmocka-dev python3 openssl mandoc dpkg zsh fish tinyproxy-bin microsocks dnsmasq-base iptables \
                iproute2 libxml2-utils perl python3-yaml shellcheck systemd git redis-tools parallel
DEBIAN_BENCH := python3 jq ripgrep valgrind binutils openssl nghttp2-client
DEBIAN_DEEP  := clang libclang-rt-14-dev clang-tidy clang-format valgrind cppcheck
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# Recipe that installs what is missing of the packages $(1).
define install_missing
@command -v apt-get >/dev/null || { echo "this is no Debian: install the counterparts of $(1)" >&2; exit 0; }; \
missing=; for package in $(1); do \
  dpkg-query -W -f '$${db:Status-Status}' $$package 2>/dev/null | grep -qx installed || missing="$$missing $$package"; \
done; \
[ -z "$$missing" ] || { echo "installing:$$missing"; $(SUDO) apt-get -q update && \
  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends $$missing; }
endef

deps:
	$(call install_missing,$(DEBIAN_BUILD))

check-deps: deps
	$(call install_missing,$(DEBIAN_CHECK))
	@SUDO="$(SUDO)" tests/peers/unpack nginx $(BUILD)/peers nginx libnginx-mod-http-echo
	@SUDO="$(SUDO)" tests/peers/unpack prometheus $(BUILD)/peers prometheus
	@SUDO="$(SUDO)" tests/peers/unpack prometheus-node-exporter $(BUILD)/peers prometheus-node-exporter
	@SUDO="$(SUDO)" tests/peers/unpack squid $(BUILD)/peers squid squid-common squid-langpack libecap3 libltdl7 libtdb1

# Prints the plan and runs on what is configured here, or the demo where nothing is. Findings are no failure of the
# recipe: only wrong usage (4) and a crash are.
run: deps
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@$(BUILD)/diagnose $(ARGS) --dry-run 2>/dev/null; plan=$$?; \
	if [ $$plan = 5 ] && [ -z "$(ARGS)" ]; then $(BUILD)/diagnose demo; else $(BUILD)/diagnose $(ARGS); fi; \
	code=$$?; [ $$code -le 3 ] || [ $$code = 5 ]

# ---- tests ----

# Unit tests that talk to servers, programs or the clock; the longest of all groups stand first.
TIMED_UNITS := $(foreach unit,probe_limit probe_tls probe_run history_shared probe_proxy probe_secret serve_server process program,\
                 $(BUILD)/unit/$(unit)_test)
as_suites = $(foreach unit,$(1),'unit-$(notdir $(unit))=$(unit)')
TOGETHER = 'cases=$(PYTHON) tests/run.py --build $(BUILD) --forms $(BUILD)/forms' \
           'history=$(PYTHON) tests/history/history.py --build $(BUILD)' \
           'codex-replay=$(PYTHON) tests/codex_replay.py --build $(BUILD)' \
           'observe=$(PYTHON) tests/observe/observe.py --build $(BUILD)' \
           'faults=$(PYTHON) tests/faults/faults.py --build $(BUILD)' \
           'shards=$(PYTHON) tests/shards.py --build $(BUILD)' \
           'formats>cases=$(PYTHON) tests/formats.py --build $(BUILD) --forms $(BUILD)/forms' \
           $(call as_suites,$(TIMED_UNITS))
BEHIND = 'logs=$(PYTHON) tests/logs.py --build $(BUILD)' \
         'corpus=$(PYTHON) tests/corpus.py --build $(BUILD)' \
         $(call as_suites,$(filter-out $(TIMED_UNITS),$(UNITS))) \
         'layers=$(PYTHON) tests/layers.py' \
         'docs=$(PYTHON) tests/docs.py --build $(BUILD)' \
         'toml=$(BUILD)/toml_conformance $(or $(TOML_TEST),toml-test)' \
         "rules=$(BUILD)/diagnose rules test && $(BUILD)/diagnose rules lint && echo '2 passed, 0 failed'"
ALONE = 'scale=$(PYTHON) tests/scale/scale.py --build $(BUILD)' \
        'keys=$(PYTHON) tests/keys/keys.py --build $(BUILD)'
SUITES = --behind $(BEHIND) --together $(TOGETHER) --alone $(ALONE)

check: check-deps
	@$(MAKE) --no-print-directory $(PARALLEL) all unit $(BUILD)/toml_conformance $(BUILD)/loggen
	@$(PYTHON) tests/check.py --log $(BUILD)/log $(SUITES)

# The same tests with AddressSanitizer and UndefinedBehaviorSanitizer.
asan: check-deps
	@$(MAKE) --no-print-directory $(PARALLEL) BUILD=$(BUILD)/asan CFLAGS='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all' \
	  all unit $(BUILD)/asan/toml_conformance $(BUILD)/asan/loggen
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan suites

# Adds the real clients and validators from npm, with a Node of their own: Debian 12's is too old for them.
check-peers: check-deps
	$(call install_missing,$(if $(shell command -v npm),,npm))
	@mkdir -p $(BUILD)/peers
	@cp tests/peers/package.json tests/peers/package-lock.json tests/peers/.npmrc tests/peers/*.mjs $(BUILD)/peers/
	@cd $(BUILD)/peers && npm ci --loglevel=error
	@$(MAKE) --no-print-directory all
	@$(PYTHON) tests/check.py --log $(BUILD)/log --alone \
	  'peers=$(PYTHON) tests/peers/peers.py --build $(BUILD) --modules $(BUILD)/peers/node_modules' \
	  'formats-npm=$(PYTHON) tests/peers/formats.py --build $(BUILD) --modules $(BUILD)/peers/node_modules --forms $(BUILD)/forms' \
	  'codex-live=$(PYTHON) tests/peers/codex.py --build $(BUILD) --modules $(BUILD)/peers/node_modules' \
	  'observe-live=$(PYTHON) tests/peers/observe.py --build $(BUILD) --modules $(BUILD)/peers/node_modules'

# All cases under valgrind; leaks count as well. And the growth of work, in instructions.
valgrind: check-deps
	$(call install_missing,valgrind)
	@$(MAKE) --no-print-directory all
	@$(PYTHON) tests/check.py --log $(BUILD)/log --alone 'valgrind=$(PYTHON) tests/run.py --build $(BUILD) \
	  --wrap "valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite"' \
	  'growth=$(PYTHON) tests/scale/growth.py --build $(BUILD)'

# The logs suite with more text read without the prefilter than make check has time for.
LOGS_MIB ?= 64
check-logs: check-deps
	@$(MAKE) --no-print-directory all $(BUILD)/loggen
	@$(PYTHON) tests/check.py --log $(BUILD)/log --alone 'logs-$(LOGS_MIB)-MiB=$(PYTHON) tests/logs.py --build $(BUILD) --mib $(LOGS_MIB)'

suites:
	@$(PYTHON) tests/check.py --log $(BUILD)/log $(SUITES)

# Every fuzzer for FUZZ_SECONDS; a crash, a leak or undefined behaviour ends the run.
FUZZ_SECONDS ?= 60
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/*_fuzz.c))
FUZZ_CFLAGS := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all

deep-deps: check-deps
	$(call install_missing,$(DEBIAN_DEEP))

fuzz: deep-deps
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/fuzzing CC=clang CFLAGS='$(FUZZ_CFLAGS)' fuzzers
	@$(PYTHON) tests/fuzz/seeds.py $(BUILD)/fuzzing/seeds
	@for fuzzer in $(BUILD)/fuzzing/fuzz/*_fuzz; do echo "$$fuzzer, $(FUZZ_SECONDS) s"; \
	  seeds=$(BUILD)/fuzzing/seeds/$$(basename $${fuzzer%_fuzz}); mkdir -p $$fuzzer.corpus $$seeds; \
	  $$fuzzer -max_total_time=$(FUZZ_SECONDS) -max_len=16384 -verbosity=0 -print_final_stats=1 \
	    -artifact_prefix=$(BUILD)/fuzzing/ $$fuzzer.corpus $$seeds || exit 1; done

fuzzers: $(FUZZERS)

$(BUILD)/fuzz/%: tests/fuzz/%.c $(OBJECTS)
	@mkdir -p $(@D)
	$(call QUIET,CC)$(COMPILE) -fsanitize=fuzzer -o $@ $< $(OBJECTS) $(LDFLAGS) $(PKG_LIBS) $(LDLIBS)

tidy: deep-deps
	clang-format --dry-run --Werror $(SOURCES) $(wildcard src/bake/*.c) $(wildcard src/*.c src/*/*.h tests/*/*.c)
	clang-tidy --quiet $(SOURCES) src/main.c -- -std=c11 $(CPPFLAGS) $(PKG_CFLAGS)
	cppcheck --quiet --error-exitcode=1 --inline-suppr --enable=warning,portability --std=c11 -Isrc src

bench: deps
	$(call install_missing,$(DEBIAN_BENCH))
	@SUDO="$(SUDO)" tests/peers/unpack nginx $(BUILD)/peers nginx libnginx-mod-http-echo
	@$(MAKE) --no-print-directory all $(BUILD)/loggen $(BUILD)/bare
	@$(PYTHON) tests/bench/bench.py --build $(BUILD) --json $(BUILD)/bench.json $(if $(README),--write $(README))
	@$(PYTHON) tests/bench/instructions.py --build $(BUILD)

# ---- installation ----

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5 \
	  $(foreach shell,$(COMPLETIONS),$(DESTDIR)$(PREFIX)/$(dir $(call completion_path,$(shell))))
	install -m 755 $(BUILD)/diagnose $(DESTDIR)$(PREFIX)/bin/diagnose
	install -m 644 man/diagnose.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 man/diagnose-rules.5 $(DESTDIR)$(PREFIX)/share/man/man5/
	install -d $(DESTDIR)$(EXAMPLES)
	for file in man/examples/*; do \
	  sed 's|/usr/local/bin/diagnose|$(PREFIX)/bin/diagnose|' $$file > $(DESTDIR)$(EXAMPLES)/$${file##*/} && \
	  if [ -x $$file ]; then chmod 755 $(DESTDIR)$(EXAMPLES)/$${file##*/}; fi || exit 1; done
	$(foreach shell,$(COMPLETIONS),$(BUILD)/diagnose completion $(shell) \
	  > $(DESTDIR)$(PREFIX)/$(call completion_path,$(shell)) &&) true

uninstall:
	rm -rf $(DESTDIR)$(EXAMPLES)
	rm -f $(DESTDIR)$(PREFIX)/bin/diagnose $(DESTDIR)$(PREFIX)/share/man/man1/diagnose.1 \
	  $(DESTDIR)$(PREFIX)/share/man/man5/diagnose-rules.5 \
	  $(foreach shell,$(COMPLETIONS),$(DESTDIR)$(PREFIX)/$(call completion_path,$(shell)))

EXAMPLES = $(PREFIX)/share/doc/diagnose/examples
COMPLETIONS := bash zsh fish
completion_path = $(share_$(1))
share_bash := share/bash-completion/completions/diagnose
share_zsh  := share/zsh/site-functions/_diagnose
share_fish := share/fish/vendor_completions.d/diagnose.fish

clean:
	rm -rf $(BUILD)

help:
	@echo 'make run          install what is missing, build, run on what is configured here (or the demo); ARGS="..."'
	@echo 'make check        install the test tools, build, pass every test'
	@echo 'make check-peers  the tests with real clients from npm'
	@echo 'make all | deps | check-deps | check-logs | install | uninstall | asan | valgrind | fuzz | tidy | bench | clean'
	@echo 'variables: CC CFLAGS LDFLAGS PREFIX DESTDIR BUILD WERROR=1 V=1 FUZZ_SECONDS=60'

.PHONY: check-logs unit suites fuzzers deep-deps valgrind


-include $(OBJECTS:.o=.d) $(BAKE:.o=.d) $(MAIN:.o=.d) $(UNITS:=.d)
