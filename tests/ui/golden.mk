golden: $(BUILD)/tests/run-wire $(BUILD)/tests/run-ui $(BUILD)/tests/run-app all ## rewrite the golden files of the tests (review the diff)
	@mkdir -p tests/golden
	@WEIR_GOLDEN_WRITE=1 $(BUILD)/tests/run-wire encode/bytes_are_those_of_servers >/dev/null
	@WEIR_GOLDEN_WRITE=1 $(BUILD)/tests/run-ui golden golden_markdown >/dev/null
	@WEIR_GOLDEN_WRITE=1 WEIR=$(BUILD)/weir $(BUILD)/tests/run-app screen_golden screen_tree/the_tree_looks_as_it_did screen_tree/the_tree_has_words_and_no_source \
		screen_list/the_list_looks_as_it_did screen_list/the_search_looks_as_it_did screen_list/titles_come_before_texts_and_what_is_marked_stays \
		screen_list/the_first_page_names_the_newest screen_compare/columns_look_as_they_did screen_runs/a_hostile_call_looks_like_what_it_is \
		screen_settings/what_is_one_of_several_words_is_chosen_from_a_list >/dev/null
	@git status --short tests/golden
.PHONY: golden
