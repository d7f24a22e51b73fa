# --- the program under valgrind (tests/valgrind/valgrind.sh) -----------------------------------------------------------

valgrind: setup-analyze ## the program under valgrind: streams, scripts, screens (VALGRIND=full: all of them)
	@$(MAKE) --no-print-directory all $(BUILD)/tests/run-app $(BUILD)/tests/failing.so
	@sh tests/valgrind/valgrind.sh $(BUILD)/weir $(BUILD)/tests/run-app $(BUILD)/valgrind

.PHONY: valgrind
