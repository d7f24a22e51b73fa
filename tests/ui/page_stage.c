#include "ui/page_stage.h"

#include <locale.h>

#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "ui/dump.h"

void page_stage_show(struct page_stage *s)
{
	canvas_clear(s->canvas);
	pane_draw(transcript_pane(s->pane), &s->view, s->canvas, (struct area){ s->top, 0, s->canvas->rows - s->top, s->canvas->columns }, true);
}

struct turn *page_stage_begin(struct page_stage *s, unsigned rows, const char *question, const char *answer)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	*s = (struct page_stage){
		.conversation = conversation_new(), .pane = transcript_new(), .canvas = canvas_new(rows, PAGE_STAGE_COLUMNS), .look = { .text_width = 100 },
	};
	s->view = (struct view){ .conversation = s->conversation, .look = &s->look };
	struct turn *asked = conversation_ask(s->conversation), *t = conversation_answer(s->conversation, STR("p"), NULL, STR("m"));
	turn_add(asked, PART_TEXT, str_from(question), STR_NONE, STR_NONE);
	turn_add(t, PART_TEXT, str_from(answer), STR_NONE, STR_NONE);
	asked->wall = t->wall = 0; /* the page shows no time: digits that a test looks for might be in it */
	t->ended = true;
	page_stage_show(s);
	return t;
}

void page_stage_end(struct page_stage *s)
{
	transcript_free(s->pane);
	canvas_free(s->canvas);
	conversation_free(s->conversation);
}

struct spot page_stage_find(struct page_stage *s, const char *text)
{
	struct buf all;
	struct str rest, line;
	struct spot spot = { 0 };
	bool found = false;

	buf_init(&all, 1 << 20);
	dump_canvas(s->canvas, false, &all);
	rest = buf_str(&all);
	for (unsigned row = 0; !found && str_split(&rest, '\n', &line); row++) {
		size_t at = str_find(line, str_from(text));

		found = at < line.len;
		if (found)
			spot = (struct spot){ row, (unsigned)utf8_width(str_head(line, at)), 0 };
	}
	spot.last = spot.column + (unsigned)utf8_width(str_from(text)) - 1;
	CHECK(found, "not seen: %s\n%s", text, buf_z(&all));
	buf_fini(&all);
	return spot;
}
