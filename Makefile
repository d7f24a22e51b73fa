# weir - a full-screen terminal chat client that shows a model's answer as it streams.
# `make help` lists the targets. Each layer is a folder and becomes a static library. tests/check_layers.sh checks its includes.

# Older makes, such as that of macOS, start a command that has no redirection without a shell, and `command` is one of the shell's.
ifeq ($(origin CC),default)
CC       := $(if $(shell command -v gcc 2>/dev/null),gcc,cc)
endif
BUILD    ?= build
PREFIX   ?= /usr/local
CFLAGS   ?= -O2 -g
SANITIZE ?=
WERROR   ?=

# The dynamic linker looks for a symbol in the libraries in the order of the link. Those that most of the symbols are in stand first (FIRST_LIBS,
# then the packages), which saves a fifth of the instructions of each start.
FIRST_LIBS := -lcrypto -lc -lsqlite3 -lunistring
PKGS      := openssl sqlite3 libcurl ncursesw json-c zlib libbrotlidec libzstd libpng libturbojpeg libwebp libsixel
WARNINGS  := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wswitch-enum -Wmissing-prototypes -Wstrict-prototypes -Wvla $(if $(WERROR),-Werror)

# The linker of macOS looks in all archives again, and knows neither groups nor these marks; there the times of a file have other names.
MACHINE  := $(shell $(CC) -dumpmachine)
MACOS    := $(findstring darwin,$(MACHINE))
HARDEN   := $(if $(MACOS),,-pie -Wl,-z,relro,-z,now)
grouped   = $(if $(MACOS),$(1),-Wl,--start-group $(1) -Wl,--end-group)

# The folder that it is built in leaves no trace in the program. A compiler takes its name from PWD, which may lead through links.
export PWD := $(CURDIR)

# CPPFLAGS, CFLAGS and LDFLAGS are the user's, stand behind ours, and win. Fortified calls need optimization; sanitizers need the plain ones.
fortified     = $(if $(SANITIZE)$(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS)),,$(filter-out -O0,$(filter -O%,$(CFLAGS))))
FEATURES     ?= -D_GNU_SOURCE $(if $(MACOS),-Dst_mtim=st_mtimespec -Dst_ctim=st_ctimespec)
OUR_CPPFLAGS  = $(FEATURES) -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 -Iinclude -I$(BUILD)/gen
OUR_CFLAGS    = -std=c11 $(WARNINGS) -fPIE -fstack-protector-strong '-ffile-prefix-map=$(CURDIR)=.' $(if $(fortified),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
# ncurses names an older POSIX.
LIB_CFLAGS   := $(filter-out -D_DEFAULT_SOURCE -D_XOPEN_SOURCE=%,$(shell pkg-config --cflags $(PKGS) 2>/dev/null))
COMPILE       = $(CC) $(OUR_CPPFLAGS) $(OUR_CFLAGS) $(LIB_CFLAGS) $(CPPFLAGS) $(CFLAGS) $(SANITIZE)
LINK          = $(COMPILE) $(HARDEN) $(LDFLAGS)
LDLIBS    += $(FIRST_LIBS) $(shell pkg-config --libs $(PKGS) 2>/dev/null || echo -lncursesw -lcurl -ljson-c -lz -lbrotlidec -lzstd -lssl -lcrypto -lsqlite3 -lpng -lturbojpeg -lwebp -lsixel) -lgif -linih -lunistring -lm
TEST_LIBS  = $(shell pkg-config --libs cunit vterm 2>/dev/null || echo -lcunit -lvterm) -lmd4c -lutil

# In link order.
LAYERS := app ui render store chat net wire base

# What is not the same on all systems stands in src/base/os, in several forms: FORM_name.c. The first of these forms that a name has is built.
FORMS   ?= $(if $(findstring linux,$(MACHINE)),$(if $(findstring musl,$(MACHINE)),,gnu) linux) posix
os_form  = $(firstword $(foreach f,$(FORMS),$(wildcard src/base/os/$(f)_$(1).c)))
OS_FILES := $(wildcard src/base/os/*.c)
OTHER_FORMS := $(filter-out $(foreach n,$(patsubst src/base/os/posix_%.c,%,$(OS_FILES)),$(call os_form,$(n))),$(OS_FILES))

layer_sources = $(sort $(filter-out $(OTHER_FORMS),$(wildcard src/$(1)/*.c src/$(1)/*/*.c src/$(1)/*/*/*.c)))
layer_objects = $(patsubst %.c,$(BUILD)/%.o,$(call layer_sources,$(1)))
layer_libs    = $(foreach l,$(1),$(BUILD)/lib/$(l).a)

MAIN_OBJECT := $(BUILD)/src/app/cli/main.o

all: $(BUILD)/weir ## build the program (build/weir)

$(BUILD)/weir: $(MAIN_OBJECT) $(call layer_libs,$(LAYERS))
	@echo '  LINK $@'
	@$(LINK) -o $@ $(MAIN_OBJECT) $(call grouped,$(call layer_libs,$(LAYERS))) $(LDLIBS)

define layer_rule
$(BUILD)/lib/$(1).a: $(filter-out $(MAIN_OBJECT),$(call layer_objects,$(1)))
	@mkdir -p $$(@D)
	@rm -f $$@
	@ar rcs $$@ $$^
endef


$(foreach l,$(LAYERS),$(eval $(call layer_rule,$(l))))

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo '  CC $<'
	@$(COMPILE) -MMD -MP -c -o $@ $<

# --- tests: one runner per layer, linked with that layer and the layers below it --------------------------------------

below_base   := base
below_wire   := wire base
below_net    := net wire base
below_chat   := chat net wire base
below_store  := store chat net wire base
below_render := render base
below_ui     := ui render chat net wire base
below_app    := app ui render store chat net wire base
TEST_LAYERS  := base wire net chat store render ui app

# The suites that take longest begin first, so that none is left alone at the end.
LONG_SUITES := history_damage index sweep_history sweep_store sweep full_disk trouble_repair untrusted ask faults mcp import export seek tls floods models corpus encode markdown \
  transcript
all_suites  = $(patsubst tests/$(1)/test_%.c,%,$(wildcard tests/$(1)/test_*.c))
test_suites = $(filter $(LONG_SUITES),$(all_suites)) $(filter-out $(LONG_SUITES),$(all_suites))

define test_rule
$(BUILD)/tests/$(1)_main.c: $(wildcard tests/$(1)/test_*.c) Makefile
	@mkdir -p $$(@D)
	@{ echo '#include "support/check.h"'; for s in $(call test_suites,$(1)); do echo "extern const struct suite suite_$$$$s;"; done; \
	  echo 'int main(int argc, char **argv) { const struct suite *const all[] = {'; \
	  for s in $(call test_suites,$(1)); do echo "&suite_$$$$s,"; done; \
	  echo 'NULL }; return check_run("$(1)", all, argc, argv); }'; } > $$@

$(BUILD)/tests/run-$(1): $(BUILD)/tests/$(1)_main.c $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/$(1)/*.c) $(wildcard tests/support/*.c)) $(call layer_libs,$(below_$(1)))
	@echo '  LINK $$@'
	@$(LINK) -Itests -o $$@ $$(filter %.c %.o,$$^) $$(call grouped,$$(filter %.a,$$^)) $(LDLIBS) $(TEST_LIBS)

build-$(1): $(BUILD)/tests/run-$(1)

check-$(1): build-$(1)
	@WEIR=$(BUILD)/weir $(BUILD)/tests/run-$(1)
.PHONY: build-$(1) check-$(1)
endef
$(foreach l,$(TEST_LAYERS),$(eval $(call test_rule,$(l))))
build-app: $(BUILD)/weir

$(BUILD)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	@echo '  CC $<'
	@$(COMPILE) -D_GNU_SOURCE -Itests -MMD -MP -c -o $@ $<

# --- targets for users ------------------------------------------------------------------------------------------------

run: setup ## set up, build, and start the full-screen chat on the built-in demo
	@$(MAKE) --no-print-directory all
	@$(BUILD)/weir --provider demo --protocol openai-responses

check: setup-tests ## set up, build, and run all tests
	@BUILD='$(BUILD)' CC='$(CC)' CHECKED='$(CHECKED)' sh tests/check_all.sh '$(MAKE)'

# Long texts are laid out in blocks: here even short ones are, in many. And char is unsigned, as on ARM.
check-asan: setup-tests ## run all tests with clang under AddressSanitizer and UndefinedBehaviorSanitizer
	@WEIR_SWEEP=more $(MAKE) --no-print-directory check CC=clang BUILD=build/asan CFLAGS='-O1 -g -funsigned-char -DFLOW_BLOCK_BYTES=24' \
	  SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'

# The tests themselves are for Linux, whichever form the program has.
check-posix: setup-tests ## build the program with POSIX.1-2008 alone, as other systems would, and run all tests
	@$(MAKE) --no-print-directory check CHECKED="$${CHECKED:-$(TEST_LAYERS)}" BUILD=build/posix FORMS=posix \
	  FEATURES='-D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700'

check-layers: $(BUILD)/layers.passed ## check that every include is allowed, and that every header compiles alone
check-rows: $(BUILD)/rows.passed ## check in a copy that the rows of the table "To add" in src/README.md suffice
check-pictures: $(BUILD)/pictures.passed ## check that the README's moving pictures show what the program shows now

# Each is run again only when something changes that it reads. The rows compile most of the program.
FILES := Makefile README.md SECURITY.md $(shell find src include themes tests -type f ! -path '*/node_modules/*' ! -name '* *')
$(BUILD)/layers.passed: CHECK = sh tests/check_layers.sh '$(CC)'
$(BUILD)/layers.passed: $(FILES)
$(BUILD)/rows.passed: CHECK = sh tests/rows.sh $(BUILD) $(MAKE)
$(BUILD)/rows.passed: $(BUILD)/weir $(BUILD)/tests/run-app $(BUILD)/tests/run-wire $(FILES)
$(BUILD)/pictures.passed: CHECK = sh tests/picture/check.sh $(BUILD)/weir src
$(BUILD)/pictures.passed: $(BUILD)/weir README.md $(wildcard tests/picture/* src/*.svg)
$(BUILD)/%.passed:
	@mkdir -p $(@D)
	@rm -f $@
	+@$(CHECK)
	@touch $@

# By default the systems that tests/systems.sh lists.
check-systems: setup-systems ## try make run and make check on other systems (root; SYSTEMS="debian-13 sid" selects)
	@sh tests/systems.sh $(BUILD)/systems $(SYSTEMS)

setup: ## install the packages for the build (Debian and Ubuntu; on other systems it lists them)
	@sh src/setup.sh build

setup-tests: ## install the packages for the tests
	@sh src/setup.sh tests

# Without a lock file, which would name hosts. Tests look for the packages there, or in the folder that WEIR_SDK names.
sdk: ## install the official SDKs for the tests of weir serve (needs node and npm)
	@cd tests/sdk && npm install --ignore-scripts --no-save --no-package-lock --no-audit --no-fund openai @anthropic-ai/sdk @google/genai ollama

pictures: all ## make the README's moving pictures again
	@sh tests/picture/moving.sh $(BUILD)/weir src

photographs: all ## take the README's pictures that stand still again (tmux, aha, chromium)
	@sh tests/picture/screens.sh $(BUILD)/weir src

SHARE       = $(DESTDIR)$(PREFIX)/share
# Where each shell looks for the completion of a program.
COMPLETION_bash = $(SHARE)/bash-completion/completions/weir
COMPLETION_zsh  = $(SHARE)/zsh/site-functions/_weir
COMPLETION_fish = $(SHARE)/fish/vendor_completions.d/weir.fish
SHELLS     := bash zsh fish
# What a desktop reads, below share.
DESKTOP    := applications/weir.desktop metainfo/weir.weir.weir.metainfo.xml icons/hicolor/scalable/apps/weir.svg

$(BUILD)/completion/%: $(BUILD)/weir
	@mkdir -p $(@D)
	@$(BUILD)/weir --completion $* > $@.new
	@mv $@.new $@

# Without -D, which only GNU's install has.
install_file = install -d $(dir $(2)) && install -m$(or $(3),644) $(1) $(2)
install: all $(SHELLS:%=$(BUILD)/completion/%) ## install the program, its man pages, completion and menu entry below PREFIX (and DESTDIR)
	$(call install_file,$(BUILD)/weir,$(DESTDIR)$(PREFIX)/bin/weir,755)
	install -d $(SHARE)/man/man1 $(SHARE)/man/man5
	for page in $(MAN_PAGES); do install -m644 $$page $(SHARE)/man/man$${page##*.} || exit; done
	for file in $(DESKTOP); do install -d $(SHARE)/$${file%/*} && install -m644 src/packaging/$${file##*/} $(SHARE)/$$file || exit; done
	$(foreach s,$(SHELLS),$(call install_file,$(BUILD)/completion/$(s),$(COMPLETION_$(s))) && ) :

uninstall: ## remove the installed files
	rm -f $(DESTDIR)$(PREFIX)/bin/weir $(foreach p,$(MAN_PAGES),$(SHARE)/man/man$(subst .,,$(suffix $(p)))/$(notdir $(p))) $(foreach s,$(SHELLS),$(COMPLETION_$(s))) \
	  $(DESKTOP:%=$(SHARE)/%)

analyze: setup-analyze ## static analysis: gcc -fanalyzer, scan-build, cppcheck; fails on any finding
	@sh tests/analyze.sh $(BUILD)/analyze $(MAKE) --no-print-directory

setup-systems: ## install the packages for check-systems
	@sh src/setup.sh systems

setup-analyze: ## install the packages for analyze
	@sh src/setup.sh analyze

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

clean: ## remove all build output
	rm -rf build

.PHONY: all run check check-asan check-layers check-posix check-rows check-systems setup setup-tests setup-systems sdk pictures check-pictures photographs install uninstall analyze setup-analyze help clean
.SECONDARY:

-include src/*/*.mk src/*/*/*.mk
-include tests/*/*.mk
# What `make check` builds, it builds with another make.
-include $(if $(filter-out check,$(or $(MAKECMDGOALS),all)),$(shell find $(BUILD)/src $(BUILD)/tests -name '*.d' 2>/dev/null))
