# The rules of each subject (src/wire/lint/SUBJECT.ini) become rows of the table in lint_SUBJECT.c.

LINT_SUBJECTS := $(basename $(notdir $(wildcard src/wire/lint/*.ini)))

$(BUILD)/gen/lint_%.inc: src/wire/lint/%.ini src/wire/lint/rules.awk src/wire/lint/rules.mk
	@mkdir -p $(@D)
	@awk -f src/wire/lint/rules.awk $< > $@.new
	@mv $@.new $@

$(foreach s,$(LINT_SUBJECTS),$(eval $(BUILD)/src/wire/lint/lint_$(s).o: $(BUILD)/gen/lint_$(s).inc))
