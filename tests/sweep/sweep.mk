# --- libraries preloaded by tests: failing calls (test_sweep.c), a clock that tests advance, a jumping clock, a journal of writes, a memory search, a full disk, a slow disk, code in a decoder, a program that waits before its main() ---

$(BUILD)/tests/%.so: tests/sweep/%.c
	@mkdir -p $(@D)
	@echo '  CC $<'
	@$(CC) -D_GNU_SOURCE -std=c11 $(WARNINGS) -O1 -g -shared -fPIC -o $@ $<

# Two of them hand sizes of 64 bits to the kernel as one argument, one has times of the size of a long. Without them their tests are skipped.
has_long_of_64_bits := $(filter 8,$(shell echo __SIZEOF_LONG__ | $(CC) -E -P - 2>/dev/null))
preloads            := jumping writing searching hostile slow_sync ready $(if $(has_long_of_64_bits),failing full_disk turned)

build-app: $(preloads:%=$(BUILD)/tests/%.so)

sweep: all build-app $(BUILD)/tests/run-app ## make every allocation and system call of a turn, of keeping it, and of maintenance the history, fail, one at a time
	@WEIR=$(BUILD)/weir WEIR_SWEEP=full $(BUILD)/tests/run-app sweep sweep_history sweep_store

sweep-smoke: all build-app $(BUILD)/tests/run-app $(BUILD)/tests/run-store $(BUILD)/tests/run-wire ## run the sweeps with more cases than make check
	@WEIR=$(BUILD)/weir WEIR_SWEEP=more $(BUILD)/tests/run-app sweep sweep_history sweep_store
	@WEIR_SWEEP=more $(BUILD)/tests/run-store history_damage
	@WEIR_SWEEP=more $(BUILD)/tests/run-wire corpus

.PHONY: sweep sweep-smoke
