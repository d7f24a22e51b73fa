# --- benchmarks: print figures beside their goals; never fail because of a figure ---------------------------------------

BENCH         ?= full
bench_objects  = $(patsubst %.c,$(BUILD)/%.o,$(filter-out tests/bench/watch_%,$(wildcard tests/bench/*.c) tests/support/home.c))

$(BUILD)/tests/run-bench: $(bench_objects) $(call layer_libs,ui render $(below_store))
	@echo '  LINK $@'
	@$(LINK) -o $@ $(bench_objects) $(call grouped,$(call layer_libs,ui render $(below_store))) $(LDLIBS) $(TEST_LIBS)

# Interposes poll(), see tests/bench/watch.h.
$(BUILD)/tests/watch_poll.so: tests/bench/watch_poll.c tests/bench/watch.h
	@mkdir -p $(@D)
	@echo '  LINK $@'
	@$(CC) -D_GNU_SOURCE -Iinclude -Itests -std=c11 $(WARNINGS) -O2 -shared -fPIC -o $@ $< -ldl

bench: setup-tests ## run the benchmarks: decoding, drawing, starting (BENCH=quick: shorter; BENCH='quick rates': a part)
	@$(MAKE) --no-print-directory all $(BUILD)/tests/run-bench $(BUILD)/tests/watch_poll.so $(BUILD)/tests/slow_sync.so $(BUILD)/tests/mcp_server
	@WEIR=$(BUILD)/weir WEIR_WATCH=$(CURDIR)/$(BUILD)/tests/watch_poll.so \
		WEIR_MCP_SERVER=$(CURDIR)/$(BUILD)/tests/mcp_server $(BUILD)/tests/run-bench $(BENCH)
.PHONY: bench
