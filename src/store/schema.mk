# The schema is one text.

$(BUILD)/src/store/history_schema.o: ALL_CFLAGS += -Wno-overlength-strings
