# Generates the themes as C: one { "name", "text" } per file of themes/, "default" first.

THEME_FILES := themes/default.ini $(filter-out themes/default.ini,$(addsuffix .ini,$(sort $(basename $(wildcard themes/*.ini)))))

$(BUILD)/gen/themes.inc: $(THEME_FILES) src/render/themes.mk
	@mkdir -p $(@D)
	@for f in $(THEME_FILES); do \
		printf '{ "%s",\n' "$$(basename $$f .ini)"; \
		sed -e 's/[\\"]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/' $$f; \
		printf '},\n'; \
	done > $@.new
	@mv $@.new $@

$(BUILD)/src/render/theme.o: $(BUILD)/gen/themes.inc
$(BUILD)/src/render/theme.o: OUR_CFLAGS += -Wno-overlength-strings
