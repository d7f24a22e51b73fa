#include "ui/dump.h"

static const char role_letters[ROLE_COUNT] = {
	[ROLE_TEXT] = '.', [ROLE_MUTED] = 'm', [ROLE_ACCENT] = 'a', [ROLE_USER_TEXT] = 'U', [ROLE_PROMPT] = 'u', [ROLE_PROMPT_BAR] = 'B', [ROLE_PROMPT_MUTED] = 'v', [ROLE_LABEL] = 'l',
	[ROLE_REASONING] = 'r', [ROLE_TOOL] = 't', [ROLE_TROUBLE] = '!', [ROLE_SUCCESS] = 'o', [ROLE_NOTICE] = 'n',
	[ROLE_HAIRLINE] = '-', [ROLE_STATUS] = 's', [ROLE_STATUS_STRONG] = 'S', [ROLE_INPUT] = 'i',
	[ROLE_SHEET] = 'h', [ROLE_SHEET_TITLE] = 'H', [ROLE_SHEET_CHOSEN] = 'C', [ROLE_SHEET_MATCH] = 'M',
	[ROLE_SHEET_MUTED] = 'w', [ROLE_SHEET_EDGE] = '=',
	[ROLE_HEADING] = '1', [ROLE_QUOTE] = 'q', [ROLE_LINK] = 'L', [ROLE_CODE] = 'c', [ROLE_CODE_WORD] = 'd', [ROLE_CODE_LABEL] = 'b',
	[ROLE_KEYWORD] = 'k', [ROLE_TYPE] = 'T', [ROLE_STRING] = '"', [ROLE_COMMENT] = '#', [ROLE_NUMBER] = '0',
	[ROLE_PREPROCESSOR] = 'p', [ROLE_ADDED] = '+', [ROLE_REMOVED] = '_', [ROLE_MATH] = '$', [ROLE_TABLE_EDGE] = '|',
	[ROLE_HIT] = 'X', [ROLE_HIT_CURRENT] = 'Z', [ROLE_SELECTED] = 'Y',
};

char dump_role_letter(enum role_name role)
{
	return role_letters[role];
}

static bool is_plain_blank(const struct cell *cell)
{
	return cell->role == ROLE_TEXT && cell->len == 1 && cell->text[0] == ' ' && !cell->attributes;
}

static void dump_row(const struct canvas *canvas, unsigned row, bool roles, struct buf *out)
{
	size_t end = out->len;

	for (unsigned c = 0; c < canvas->columns; c++) {
		const struct cell *cell = canvas_cell(canvas, row, c);
		bool blank = roles ? is_plain_blank(cell) : cell->len == 1 && cell->text[0] == ' ';

		if (roles)
			buf_add_byte(out, blank ? ' ' : role_letters[cell->role]);
		else
			buf_add(out, str_of(cell->text, cell->len));
		if (!blank)
			end = out->len;
	}
	buf_remove(out, end, out->len - end);
	buf_add_byte(out, '\n');
}

void dump_canvas(const struct canvas *canvas, bool roles, struct buf *out)
{
	for (unsigned r = 0; r < canvas->rows; r++)
		dump_row(canvas, r, false, out);
	for (unsigned r = 0; roles && r < canvas->rows; r++)
		dump_row(canvas, r, true, out);
}
