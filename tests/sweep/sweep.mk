# --- preloaded by tests: calls of a turn fail once (test_sweep.c), the clock jumps, writes and memory are looked at ------

$(BUILD)/tests/%.so: tests/sweep/%.c
	@mkdir -p $(@D)
	@echo '  CC $<'
	@$(CC) $(CPPFLAGS) -std=c11 $(WARNINGS) -O1 -g -shared -fPIC -o $@ $<

build-app: $(BUILD)/tests/failing.so $(BUILD)/tests/jumping.so $(BUILD)/tests/writing.so $(BUILD)/tests/searching.so

sweep: all $(BUILD)/tests/failing.so $(BUILD)/tests/run-app ## fail every allocation and system call of a turn, one after the other
	@WEIR=$(BUILD)/weir WEIR_SWEEP=full $(BUILD)/tests/run-app sweep

.PHONY: sweep
