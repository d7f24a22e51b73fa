# --- one session for ten minutes: flat memory, constant descriptors (tests/soak/soak.c) ---------------------------------

SOAK_SECONDS ?= 600
soak_objects  = $(patsubst %.c,$(BUILD)/%.o,tests/soak/soak.c tests/app/stage.c tests/support/check.c tests/support/environment.c \
	tests/support/hand.c tests/support/home.c tests/support/pty.c tests/support/pty_screen.c tests/support/pty_wait.c)

$(BUILD)/tests/run-soak: $(soak_objects) $(call layer_libs,base)
	@echo '  LINK $@'
	@$(LINK) -o $@ $^ $(LDLIBS) $(TEST_LIBS)

soak: setup-tests ## one session with all that can happen, for SOAK_SECONDS=600: memory and descriptors stay as they are
	@$(MAKE) --no-print-directory all $(BUILD)/tests/run-soak
	@WEIR=$(BUILD)/weir SOAK_SECONDS=$(SOAK_SECONDS) $(BUILD)/tests/run-soak

.PHONY: soak
