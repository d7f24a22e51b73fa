# The tables of the man pages come from the program's own. The program holds the pages for `weir help`.

MAN_PAGES := $(sort $(wildcard src/man/*.[15]))

man: $(BUILD)/weir ## write the tables of the man pages (src/man)
	@for page in $(MAN_PAGES); do $(BUILD)/weir --man $$page > $(BUILD)/man.new && cp $(BUILD)/man.new $$page || exit 1; done

$(BUILD)/gen/man.inc: $(MAN_PAGES) src/app/cli/man.mk
	@mkdir -p $(@D)
	@for f in $(MAN_PAGES); do \
		name=$${f##*/}; \
		printf '{ "%s", "%s",\n' "$${name%.*}" "$${name##*.}"; \
		sed -e 's/[\\"?]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/' $$f; \
		printf '},\n'; \
	done > $@.new
	@mv $@.new $@

$(BUILD)/src/app/cli/man_page.o: $(BUILD)/gen/man.inc
$(BUILD)/src/app/cli/man_page.o: OUR_CFLAGS += -Wno-overlength-strings

.PHONY: man
