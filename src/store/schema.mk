# The schema is one text.

$(BUILD)/src/store/history/history_schema.o: OUR_CFLAGS += -Wno-overlength-strings
