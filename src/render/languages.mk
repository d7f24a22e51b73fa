# Generates the language tables as C, one set per file of themes/languages/.

LANGUAGE_FILES := $(sort $(wildcard themes/languages/*.ini))

$(BUILD)/gen/languages.inc: $(LANGUAGE_FILES) src/render/languages.awk src/render/languages.mk
	@mkdir -p $(@D)
	@LC_ALL=C awk -f src/render/languages.awk $(LANGUAGE_FILES) > $@.new
	@mv $@.new $@

$(BUILD)/src/render/language.o: $(BUILD)/gen/languages.inc
