# diagnose: build, set-up, tests. `make help` lists the targets.
VERSION := 0.1.0
BUILD   ?= build
PREFIX  ?= /usr/local
CC      ?= cc
CFLAGS  ?= -O2 -g
PKG_CONFIG ?= pkg-config

PACKAGES := libcurl libcjson libpcre2-8 libmicrohttpd libcrypto
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Wstrict-prototypes \
            -Wwrite-strings -Wcast-qual -Wpointer-arith -Wvla -Wformat=2 -Wundef
ifeq ($(WERROR),1)
WARNINGS += -Werror
endif

# Not for the targets that only install packages: pkg-config may not be there yet.
PKG_CFLAGS = $(shell $(PKG_CONFIG) --cflags $(PACKAGES))
PKG_LIBS   = $(shell $(PKG_CONFIG) --libs $(PACKAGES))
override CPPFLAGS += -Isrc -D_GNU_SOURCE -DDIAGNOSE_VERSION='"$(VERSION)"'
COMPILE = $(CC) -std=c11 $(CPPFLAGS) $(PKG_CFLAGS) $(WARNINGS) $(CFLAGS) -MMD -MP

SOURCES  := $(wildcard src/*/*.c)
RULES    := $(sort $(wildcard rules/*.toml rules/*/*.toml))
OBJECTS  := $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/gen/embedded.o
MAIN     := $(BUILD)/src/main.o
UNITS    := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/*_test.c))

.PHONY: all run check check-peers deps check-deps install uninstall asan fuzz tidy bench clean help
.DELETE_ON_ERROR:

all: $(BUILD)/diagnose

$(BUILD)/diagnose: $(MAIN) $(OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(LDLIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<

$(BUILD)/gen/embedded.o: $(BUILD)/gen/embedded.c
	$(COMPILE) -c -o $@ $<

# The rule table as byte arrays; the name list is a prerequisite so that a removed file is noticed.
$(BUILD)/gen/embedded.c: $(RULES) $(BUILD)/gen/rules.list
	@mkdir -p $(@D)
	@{ echo '#include "rules/embedded.h"'; n=0; \
	for f in $(RULES); do \
	  printf 'static const unsigned char file_%d[] = {\n' $$n; od -An -v -tu1 $$f | sed 's/  */,/g; s/^,//; s/$$/,/'; echo '};'; \
	  n=$$((n+1)); done; \
	echo 'const struct embedded_file embedded_files[] = {'; n=0; \
	for f in $(RULES); do printf '    {"%s", file_%d, sizeof file_%d},\n' $$f $$n $$n; n=$$((n+1)); done; \
	echo '    {NULL, NULL, 0},'; echo '};'; echo "const size_t embedded_file_count = $$n;"; } > $@

$(BUILD)/gen/rules.list: FORCE
	@mkdir -p $(@D)
	@echo '$(RULES)' | cmp -s - $@ || echo '$(RULES)' > $@
FORCE:

$(BUILD)/unit/%_test: tests/unit/%_test.c $(OBJECTS)
	@mkdir -p $(@D)
	$(COMPILE) -o $@ $< $(OBJECTS) $(LDFLAGS) $(PKG_LIBS) $(shell $(PKG_CONFIG) --libs cmocka) $(LDLIBS)

unit: $(UNITS)

clean:
	rm -rf $(BUILD)

-include $(OBJECTS:.o=.d) $(MAIN:.o=.d) $(UNITS:=.d)
