# The tables of the man page come from the program's own.

man: $(BUILD)/weir ## write the tables of the man page (src/weir.1)
	$(BUILD)/weir --man src/weir.1 > $(BUILD)/weir.1
	cp $(BUILD)/weir.1 src/weir.1

.PHONY: man
