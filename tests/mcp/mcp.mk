# --- a server of MCP that does what servers should not, for tests/app/test_mcp.c ---

$(BUILD)/tests/mcp_server: tests/mcp/server.c
	@mkdir -p $(@D)
	@echo '  CC $<'
	@$(CC) -D_GNU_SOURCE -std=c11 $(WARNINGS) -O1 -g -o $@ $<

build-app: $(BUILD)/tests/mcp_server
