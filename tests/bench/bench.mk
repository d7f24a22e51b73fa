# --- figures: never pass or fail, each beside its goal or its yardstick ------------------------------------------------

BENCH         ?= full
bench_objects  = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/*.c))

$(BUILD)/tests/run-bench: $(bench_objects) $(call layer_libs,$(below_wire))
	@echo '  LINK $@'
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(bench_objects) -Wl,--start-group $(call layer_libs,$(below_wire)) -Wl,--end-group $(LDLIBS) $(TEST_LIBS)

bench: setup-tests ## print figures: decoding, drawing, starting (BENCH=quick: shorter; BENCH='quick rates': a part)
	@$(MAKE) --no-print-directory all $(BUILD)/tests/run-bench
	@WEIR=$(BUILD)/weir $(BUILD)/tests/run-bench $(BENCH)
.PHONY: bench
