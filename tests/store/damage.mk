# --- 10,000 random damages of the history, compared with what sqlite3 recovers -----------------------------------------

history-damage: all $(BUILD)/tests/run-store ## damage the history in 10,000 ways: it opens, and holds what sqlite3 recovers
	@WEIR_SWEEP=full $(BUILD)/tests/run-store history_damage

.PHONY: history-damage
