# --- fuzzers: any bytes, with the guard and a few more rules as oracle -------------------------------------------------

FUZZ_SECONDS ?= 20
FUZZ_BUILD   := build/fuzz
FUZZERS      := stream keys page markdown
fuzz_flags   := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fsanitize=fuzzer-no-link -fno-omit-frame-pointer

# Saved streams behind the four bytes that tell fuzz_stream how to take them; our own markdown behind those of fuzz_markdown; streams
# as they are for the others.
fuzz_streams  = $(shell find tests/streams -type f ! -name '*.expected.json' ! -name '*.tsv' ! -name '*.md')
fuzz_markdown = README.md src/README.md tests/streams/README.md tests/render/test_markdown_cases.c
fuzz_seeds = for s in $(if $(filter markdown,$(1)),$(fuzz_markdown),$(fuzz_streams)); do name=$(2)/$$(echo $$s | tr '/' '_'); \
	case $(1) in stream) { printf '\005\000\000\007'; cat $$s; } > $$name ;; markdown) { printf '\120\050\007\000'; head -c 8000 $$s; } > $$name ;; \
	*) head -c 2000 $$s > $$name ;; esac; done

$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/wire/grammar.o $(BUILD)/tests/chat/valid_request.o $(call layer_libs,$(below_ui))
	@echo '  LINK $@'
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LDLIBS)

fuzz-smoke: setup-tests ## fuzz streams, keys, pages and markdown for a moment (clang; FUZZ_SECONDS=20 each)
	@$(MAKE) --no-print-directory fuzz-run BUILD=$(FUZZ_BUILD) CC=clang CFLAGS='-O1 -g' SANITIZE='$(fuzz_flags)'

fuzz-run: $(FUZZERS:%=fuzz-run-%)
	@echo 'fuzz-smoke: nothing found'

fuzz-run-%: $(BUILD)/tests/fuzz_%
	@mkdir -p $(BUILD)/seeds-$* $(BUILD)/found-$*
	@$(call fuzz_seeds,$*,$(BUILD)/seeds-$*)
	@echo "  FUZZ $*"
	@$(BUILD)/tests/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -max_len=20000 -rss_limit_mb=2000 -print_final_stats=0 -verbosity=0 \
		-artifact_prefix=$(BUILD)/found-$*/ $(BUILD)/found-$* $(BUILD)/seeds-$*

.PHONY: fuzz-smoke fuzz-run
