# --- thousands of random damages of the history, compared with what sqlite3 recovers -----------------------------------------

DAMAGES ?= 10000

history-damage: all $(BUILD)/tests/run-store ## damage the history in DAMAGES=10000 ways: it opens, and holds what sqlite3 recovers
	@WEIR_DAMAGES=$(DAMAGES) $(BUILD)/tests/run-store history_damage

.PHONY: history-damage
