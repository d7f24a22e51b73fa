# --- fuzzers: any bytes, with the guard and a few more rules as oracle -------------------------------------------------

FUZZ_SECONDS ?= 20
FUZZ_BUILD   := build/fuzz
FUZZERS      := stream keys page
fuzz_flags   := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fsanitize=fuzzer-no-link -fno-omit-frame-pointer

# Saved streams behind the four bytes that tell fuzz_stream how to take them; as they are for the others.
fuzz_seeds = for s in $$(find tests/streams -type f ! -name '*.expected.json' ! -name '*.tsv' ! -name '*.md'); do \
	name=$$(echo $$s | tr '/' '_'); \
	case $(1) in stream) { printf '\005\000\000\007'; cat $$s; } > $(2)/$$name ;; *) head -c 2000 $$s > $(2)/$$name ;; esac; done

$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/wire/grammar.o $(BUILD)/tests/chat/valid_request.o $(call layer_libs,$(below_ui))
	@echo '  LINK $@'
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LDLIBS)

fuzz-smoke: setup-tests ## fuzz streams, keys and pages for a moment (clang; FUZZ_SECONDS=20 each)
	@$(MAKE) --no-print-directory fuzz-run BUILD=$(FUZZ_BUILD) CC=clang CFLAGS='-O1 -g' SANITIZE='$(fuzz_flags)'

fuzz-run: $(FUZZERS:%=$(BUILD)/tests/fuzz_%)
	@for f in $(FUZZERS); do \
		mkdir -p $(BUILD)/seeds-$$f $(BUILD)/found-$$f; \
		$(call fuzz_seeds,$$f,$(BUILD)/seeds-$$f); \
		echo "  FUZZ $$f"; \
		$(BUILD)/tests/fuzz_$$f -max_total_time=$(FUZZ_SECONDS) -max_len=20000 -rss_limit_mb=2000 -print_final_stats=0 -verbosity=0 \
			-artifact_prefix=$(BUILD)/found-$$f/ $(BUILD)/found-$$f $(BUILD)/seeds-$$f || exit 1; done
	@echo 'fuzz-smoke: nothing found'

.PHONY: fuzz-smoke fuzz-run
