# --- the history in long runs: random damages, kills, and programs that share it -----------------------------------------------

DAMAGES ?= 10000
KILLS   ?= 200
TURNS   ?= 1000

history-damage: all $(BUILD)/tests/run-store ## damage the history in DAMAGES=10000 ways: it opens, and holds what sqlite3 recovers
	@WEIR_DAMAGES=$(DAMAGES) $(BUILD)/tests/run-store history_damage

kill-sweep: all $(BUILD)/tests/run-app ## kill KILLS=200 programs while answers stream: they lose what came in the last second at most
	@WEIR=$(BUILD)/weir WEIR_KILLS=$(KILLS) $(BUILD)/tests/run-app kill

history-shared: all $(BUILD)/tests/run-store ## two programs write TURNS=1000 turns each into one history: nothing is torn or missing
	@WEIR_TURNS=$(TURNS) $(BUILD)/tests/run-store history_programs

.PHONY: history-damage kill-sweep history-shared
