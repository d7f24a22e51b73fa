# --- libraries preloaded by tests: failing calls (test_sweep.c), a jumping clock, a journal of writes, a memory search, a full disk, a slow disk, code in a decoder ---

$(BUILD)/tests/%.so: tests/sweep/%.c
	@mkdir -p $(@D)
	@echo '  CC $<'
	@$(CC) -D_GNU_SOURCE -std=c11 $(WARNINGS) -O1 -g -shared -fPIC -o $@ $<

build-app: $(BUILD)/tests/failing.so $(BUILD)/tests/jumping.so $(BUILD)/tests/writing.so $(BUILD)/tests/searching.so $(BUILD)/tests/full_disk.so $(BUILD)/tests/hostile.so $(BUILD)/tests/slow_sync.so

sweep: all $(BUILD)/tests/failing.so $(BUILD)/tests/run-app ## make every allocation and system call of a turn, of keeping it, and of tending the history, fail, one at a time
	@WEIR=$(BUILD)/weir WEIR_SWEEP=full $(BUILD)/tests/run-app sweep sweep_history sweep_store

.PHONY: sweep
