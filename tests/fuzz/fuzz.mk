# --- fuzzers: random bytes, checked by the guard and other rules -------------------------------------------------------
#
# A fuzzer has a file fuzz_NAME.c, a line in seeds.sh for its seeds, and optionally a dictionary NAME.dict (else wire.dict). Findings are
# written to build/fuzz/found-NAME. Inputs that reach new code are kept there too, so that the next run continues from them.
#
# `fuzz-fast` omits the sanitizers and the tracing of comparisons and keeps inputs short. It is at least ten times as fast and checks the
# same rules.

FUZZ_SECONDS  ?= 5
FUZZ_RUNS     ?= 10000000
FUZZ_LENGTH   ?= 4096
FUZZ_BUILD    ?= build/fuzz
FUZZ_OPTIMIZE ?= -O1
FUZZERS       ?= $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_CHECKS   ?= -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FUZZ_COVERAGE ?= -fsanitize=fuzzer-no-link
FUZZ_OPTIONS  ?=

fuzz_flags     = $(FUZZ_CHECKS) $(FUZZ_COVERAGE)
fuzz_make      = $(MAKE) --no-print-directory BUILD=$(FUZZ_BUILD) CC=clang CFLAGS='$(FUZZ_OPTIMIZE) -g' SANITIZE='$(fuzz_flags)' \
                 FUZZERS='$(FUZZERS)' FUZZ_LENGTH=$(FUZZ_LENGTH) FUZZ_OPTIONS='$(FUZZ_OPTIONS)'

$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/wire/grammar.o $(BUILD)/tests/chat/valid_request.o \
                       $(BUILD)/tests/render/markdown_oracle.o $(call layer_libs,store $(below_ui))
	@echo '  LINK $@'
	@$(LINK) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(call grouped,$(filter %.a,$^)) $(LDLIBS) -lmd4c

fuzz-smoke: setup-tests sweep-smoke ## run sweep-smoke, then every fuzzer briefly, one minute in total (clang; FUZZ_SECONDS=5 each)
	@$(fuzz_make) fuzz-run FUZZ_LIMIT=-max_total_time=$(FUZZ_SECONDS)

fuzz: setup-tests ## run every fuzzer for hours (FUZZ_RUNS=10000000 each; FUZZERS="json tape" selects)
	@$(fuzz_make) fuzz-run FUZZ_LIMIT=-runs=$(FUZZ_RUNS)

fuzz-fast: setup-tests ## like fuzz, without sanitizers and with short inputs: ten times as fast
	@$(MAKE) --no-print-directory fuzz FUZZ_BUILD=build/fuzz-fast FUZZ_CHECKS= FUZZ_OPTIMIZE=-O2 FUZZ_LENGTH=64 \
		FUZZ_COVERAGE=-fsanitize-coverage=inline-8bit-counters,pc-table FUZZ_OPTIONS=-entropic=0

fuzz-run: $(FUZZERS:%=fuzz-run-%)
	@echo 'fuzz: nothing found'

fuzz-run-%: $(BUILD)/tests/fuzz_%
	@mkdir -p $(BUILD)/found-$*
	@sh tests/fuzz/seeds.sh $* $(BUILD)/seeds-$*
	@echo '  FUZZ $*'
	@nice -n 19 $(BUILD)/tests/fuzz_$* $(FUZZ_LIMIT) $(FUZZ_OPTIONS) -max_len=$(FUZZ_LENGTH) -rss_limit_mb=2000 -timeout=20 -verbosity=0 \
		-dict=$(firstword $(wildcard tests/fuzz/$*.dict) tests/fuzz/wire.dict) -artifact_prefix=$(BUILD)/found-$*/ \
		$(BUILD)/found-$* $(BUILD)/seeds-$* 2>$(BUILD)/fuzz-$*.log || { tail -40 $(BUILD)/fuzz-$*.log; exit 1; }

.PHONY: fuzz fuzz-fast fuzz-smoke fuzz-run
