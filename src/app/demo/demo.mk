# The demo's answers (src/app/demo/NAME.demo) become string literals in a table that src/app/demo/demo.c includes.

DEMO_SCRIPTS := $(sort $(wildcard src/app/demo/*.demo))

$(BUILD)/gen/demo.inc: $(DEMO_SCRIPTS) src/app/demo/demo.mk
	@mkdir -p $(@D)
	@for f in $(DEMO_SCRIPTS); do \
		printf '{ "%s",\n' "$$(basename $$f .demo)"; \
		sed -e 's/[\\"?]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/' $$f; \
		printf '},\n'; \
	done > $@

$(BUILD)/src/app/demo/demo.o: $(BUILD)/gen/demo.inc
$(BUILD)/src/app/demo/demo.o: OUR_CFLAGS += -Wno-overlength-strings
