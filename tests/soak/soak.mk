# --- one session for ten minutes: flat memory, constant descriptors (tests/soak/soak.c) ---------------------------------

SOAK_SECONDS ?= 600
soak_objects  = $(patsubst %.c,$(BUILD)/%.o,tests/soak/soak.c tests/app/stage.c tests/app/stored.c $(wildcard tests/support/*.c))

$(BUILD)/tests/run-soak: $(soak_objects) $(call layer_libs,$(below_store))
	@echo '  LINK $@'
	@$(LINK) -o $@ $(soak_objects) $(call grouped,$(call layer_libs,$(below_store))) $(LDLIBS) $(TEST_LIBS)

soak: setup-tests ## one session with all that can happen, for SOAK_SECONDS=600: memory and descriptors stay as they are
	@$(MAKE) --no-print-directory all $(BUILD)/tests/run-soak
	@WEIR=$(BUILD)/weir SOAK_SECONDS=$(SOAK_SECONDS) $(BUILD)/tests/run-soak

.PHONY: soak
