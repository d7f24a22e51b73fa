#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "terminfo_key.h"
#include "ui/term/key.h"

/* Writes keys by name, separated by blanks. Pasted text is in <>; ~ precedes keys with at_once. */
static void note(void *ctx, const struct key *key)
{
	struct buf *out = ctx;

	if (out->len)
		buf_add(out, STR(" "));
	buf_add_z(out, key->at_once ? "~" : "");
	if (key->code == KEY_FOCUS_IN || key->code == KEY_FOCUS_OUT)
		buf_add_z(out, key->code == KEY_FOCUS_IN ? "focus" : "blur");
	else if (key->code == KEY_REPLY)
		buf_printf(out, "{%.*s}", STR_ARG(key->text));
	else if (key->code != KEY_PASTE)
		key_name(key, out);
	if (key->code == KEY_PASTE)
		buf_printf(out, "<%.*s>", STR_ARG(key->text));
}

static const struct { const char *bytes; const char *keys; } cases[] = {
	{ "aB ", "a B Space" },
	{ "\xE4\xB8\xAD\xF0\x9F\x98\x80", "\xE4\xB8\xAD \xF0\x9F\x98\x80" },
	{ "\r\n\t\x7F\b", "Enter Ctrl-J Tab Backspace Backspace" },
	{ "\x01\x03\x1A", "Ctrl-A Ctrl-C Ctrl-Z" },
	{ "\x1C\x1D\x1E\x1F", "Ctrl-\\ Ctrl-] Ctrl-^ Ctrl-_" },
	{ "\xFF\xC0", "\uFFFD \uFFFD" }, { "\xE4\xB8" "a", "\uFFFD a" },
	{ "\xE4" "a", "\uFFFD a" },
	{ "\xC2\x85" "a", "a" },
	/* cursor keys, with and without application mode, with modifiers */
	{ "\x1B[A\x1B[B\x1B[C\x1B[D\x1B[H\x1B[F", "Up Down Right Left Home End" },
	{ "\x1BOA\x1BOB\x1BOC\x1BOD\x1BOH\x1BOF", "Up Down Right Left Home End" },
	{ "\x1B[1;2A\x1B[1;3B\x1B[1;5C\x1B[1;6D\x1B[1;8H", "Shift-Up Alt-Down Ctrl-Right Ctrl-Shift-Left Ctrl-Alt-Shift-Home" },
	{ "\x1B[1~\x1B[2~\x1B[3~\x1B[4~\x1B[5~\x1B[6~\x1B[7~\x1B[8~", "Home Ins Del End PgUp PgDn Home End" },
	{ "\x1B[3;5~\x1B[5;3~", "Ctrl-Del Alt-PgUp" },
	{ "\x1B[Z", "Shift-Tab" },
	/* function keys: xterm, VT220, the Linux console, modified */
	{ "\x1BOP\x1BOQ\x1BOR\x1BOS", "F1 F2 F3 F4" },
	{ "\x1B[11~\x1B[12~\x1B[13~\x1B[14~\x1B[15~\x1B[17~\x1B[21~\x1B[23~\x1B[24~", "F1 F2 F3 F4 F5 F6 F10 F11 F12" },
	{ "\x1B[[A\x1B[[B\x1B[[E", "F1 F2 F5" },
	{ "\x1B[1;5P\x1B[1;2R\x1BO5Q\x1B[15;2~", "Ctrl-F1 Shift-F3 Ctrl-F2 Shift-F5" },
	/* rxvt */
	{ "\x1B[a\x1B[7$\x1B[7^\x1B[8@\x1BOa\x1B\x1B[A", "Shift-Up Shift-Home Ctrl-Home Ctrl-Shift-End Ctrl-Up Alt-Up" },
	/* the keypad */
	{ "\x1BOM\x1BOj\x1BOp\x1BOy\x1BOX", "Enter * 0 9 =" },
	/* Alt */
	{ "\x1B" "a\x1B" "Z\x1B.\x1B\xC3\xA4", "Alt-a Alt-Z Alt-. Alt-\xC3\xA4" },
	{ "\x1B\r\x1B\x7F\x1B\x01", "Alt-Enter Alt-Backspace Ctrl-Alt-A" },
	{ "\x1B\t", "Shift-Tab" }, /* the Linux console */
	/* CSI-u, kitty's and xterm's modifyOtherKeys */
	{ "\x1B[13;2u\x1B[13;5u\x1B[9;2u\x1B[27u\x1B[127;3u", "Shift-Enter Ctrl-Enter Shift-Tab Esc Alt-Backspace" },
	{ "\x1B[99;5u\x1B[102;3u\x1B[97u\x1B[97;2u\x1B[32;5u", "Ctrl-C Alt-f a A Ctrl-Space" },
	{ "\x1B[105;5u\x1B[109;5u\x1B[74;6u", "Ctrl-I Ctrl-M Ctrl-Shift-J" },
	{ "\x1B[49:33;2u\x1B[97:65:99;4u\x1B[228;1u", "! Alt-A \xC3\xA4" },
	{ "\x1B[1089::99;5u\x1B[1072::102;3u\x1B[1089:1057:99;2u", "Ctrl-C Alt-f \xD0\xA1" },
	{ "\x1B[45:95;6u\x1B[47;5u\x1B[45:95;4u\x1B[99:67;6u", "Ctrl-_ Ctrl-/ Alt-_ Ctrl-Shift-C" },
	{ "\x1B[97;1:3u\x1B[97;1:2u", "a" },
	{ "\x1B[97;65u\x1B[97;129u", "a a" },
	{ "\x1B[57414u\x1B[57399u\x1B[57420;5u\x1B[57441;2u", "Enter 0 Ctrl-Down" },
	{ "\x1B[27;2;13~\x1B[27;5;99~", "Shift-Enter Ctrl-C" },
	{ "\x1B[I\x1B[O", "focus blur" },
	{ "\x1B[<64;10;5M\x1B[<65;1;1M\x1B[<68;1;1M\x1B[<66;1;1M\x1B[<64;1M" "a", "WheelUp WheelDown WheelLeft WheelLeft a" },
	{ "\x1B[M`!!" "a\x1B[M !\x7F" "b\x1B[Ma!\xF0" "\x1B[M#!!", "WheelUp a MouseDown b WheelDown MouseUp" }, /* without mode 1006 */
	{ "\x1B[96;10;5M\x1B[113;1;1M\x1B[32;1;1M\x1B[96;10;0M\x1B[1M" "a", "WheelUp WheelDown MouseDown a" }, /* rxvt's */
	{ "\x1B[<67;1;1M\x1B[<69;2;2M\x1B[<71;2;2M" "a", "WheelRight WheelRight WheelRight a" },
	/* replies and unknown sequences */
	{ "\x1B[?62;1;4c\x1B[24;80R\x1B[?2026;2$y\x1B[>41;354;0c\x1B[0n" "a", "{[?62;1;4c} {[24;80R} {[?2026;2$y} {[>41;354;0c} a" },
	{ "\x1B[2;3R\x1B[1;2R\x1B[R", "{[2;3R} Shift-F3 F3" },
	{ "\x1B]11;rgb:1234/5678/9abc\x1B\\" "a\x1B]11;x\x07" "b\x1B]\x07", "{]11;rgb:1234/5678/9abc} a {]11;x} b {]}" },
	{ "\x1B]11;\t\x07\x1B]11;\xC3\xA4\x1B\\\x1B]1\x18" "a", "a" },
	{ "\x1B]1111111111222222222233333333334444444444555555555566666666667777777777\x07" "a", "a" },
	{ "\x1BP>|xterm(390)\x1B\\" "a\x1B_Gi=31;OK\x1B\\" "b", "{P>|xterm(390)} a {_Gi=31;OK} b" },
	{ "\x1B[<0;10;5M\x1B[<32;11;5M\x1B[<36;11;6M\x1B[<0;10;5m", "MouseDown MouseDrag MouseDrag MouseUp" },
	{ "\x1B[<2;10;5M\x1B[<2;10;5m\x1B[<34;9;5M\x1B[<35;9;5M\x1B[<64;9;5m\x1B[99~\x1B[1;2;3;4;5;6x\x1B[?1u" "a", "{[1;2;3;4;5;6x} {[?1u} a" },
	{ "\x1B[11111111111111111111111111111111111111111111111111111111111111A" "a", "a" },
	{ "\x1B[12\x1B[A", "Up" },
	/* pastes */
	{ "\x1B[200~two\r\nlines\rand \x1B[31mno\x07 controls\t\x1B[201~", "<two\nlines\nand [31mno controls\t>" },
	{ "\x1B[200~\x1B[20\x1B[201~", "<[20>" },
	{ "\x1B[200~\x1B[201~", "<>" }, { "\x1B[200~a\x1B[201~\x1B[200~b\x1B[201~", "<a> <b>" },
	{ "\x1B[200~\xC2\x9B\xFF\xE4\xB8\xAD\x1B[201~", "<\uFFFD\xE4\xB8\xAD>" },
};

static void check_feed(size_t i, struct key_decoder *d, size_t cut, struct buf *out)
{
	struct str bytes = str_from(cases[i].bytes);

	buf_clear(out);
	key_decoder_feed(d, str_head(bytes, cut), 1000, note, out);
	key_decoder_feed(d, str_skip(bytes, cut), 1001, note, out);
	CHECK(str_is(buf_str(out), cases[i].keys), "case %zu cut at %zu: \"%s\", not \"%s\"", i, cut, buf_z(out), cases[i].keys);
	CHECK(key_decoder_deadline(d) == INT64_MAX, "case %zu cut at %zu: nothing waits", i, cut);
}

static void decodes_at_every_split(void)
{
	struct buf out;

	unsetenv("SSH_CONNECTION");
	buf_init(&out, 1 << 16);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t cut = 0; cut <= strlen(cases[i].bytes); cut++) {
			struct key_decoder *d = key_decoder_new();

			check_feed(i, d, cut, &out);
			key_decoder_free(d);
		}
	buf_fini(&out);
}

static void waits_after_escape(void)
{
	static const struct { const char *bytes; const char *keys; int ms; } waiting[] = {
		{ "\x1B", "Esc", 25 }, { "\x1B\x1B", "Esc Esc", 25 }, { "\x1B[", "Alt-[", 25 }, { "\x1BO", "Alt-O", 25 }, { "\x1B]", "Alt-]", 25 },
		{ "\x1B\x1BO", "Esc Alt-O", 25 }, { "\x1B[1;", "", 500 }, { "\x1B]11;rgb", "", 500 }, { "\x1B[200~half a pas", "<half a pas>", 2000 },
	};
	struct buf out;

	buf_init(&out, 1 << 16);
	unsetenv("SSH_CONNECTION");
	for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++) {
		struct key_decoder *d = key_decoder_new();

		buf_clear(&out);
		key_decoder_feed(d, str_from(waiting[i].bytes), 1000, note, &out);
		CHECK_STR(buf_str(&out), "");
		CHECK(key_decoder_deadline(d) == 1000 + waiting[i].ms, "case %zu: until %d", i, (int)key_decoder_deadline(d));
		key_decoder_tick(d, 1000 + waiting[i].ms - 1, note, &out);
		CHECK_STR(buf_str(&out), "");
		key_decoder_tick(d, 1000 + waiting[i].ms, note, &out);
		CHECK_STR(buf_str(&out), waiting[i].keys);
		CU_ASSERT_EQUAL(key_decoder_deadline(d), INT64_MAX);
		buf_clear(&out);
		key_decoder_feed(d, STR("x"), 9000, note, &out);
		CHECK_STR(buf_str(&out), "x");
		key_decoder_free(d);
	}
	buf_fini(&out);
}

static void waits_longer_over_ssh(void)
{
	struct key_decoder *d;
	struct buf out;

	setenv("SSH_CONNECTION", "a b", 1);
	d = key_decoder_new();
	unsetenv("SSH_CONNECTION");
	buf_init(&out, 1 << 10);
	key_decoder_feed(d, STR("\x1B"), 1000, note, &out);
	CU_ASSERT_EQUAL(key_decoder_deadline(d), 1050);
	key_decoder_free(d);
	buf_fini(&out);
}

/*
 * A paste without brackets looks like typed text. A line end between text in one read is taken as pasted. A line end at the start or
 * the end of a read is taken as typed, unless a paste has already begun.
 */
static void bursts_are_pastes(void)
{
	static const struct { const char *reads[4]; const char *keys; } bursts[] = {
		{ { "one\rtwo" }, "<one\ntwo>" }, { { "one\rtwo\r" }, "<one\ntwo\n>" }, { { "\rtwo\r\n\tthree\r\n" }, "<\ntwo\n\tthree\n>" },
		{ { "\rtwo" }, "Enter t w o" }, { { "\ra\r" }, "Enter a Enter" },
		{ { "one\rtw", "o\r", "three\r" }, "<one\ntwo\nthree\n>" }, { { "one\r\xE4\xB8", "\xAD\r" }, "<one\n\xE4\xB8\xAD\n>" },
		{ { "one\rtwo\x1B[A" "a" }, "<one\ntwo> Up a" }, { { "\x1B[Aone\rtwo\x01" "b\r" }, "Up <one\ntwo> Ctrl-A b Enter" },
		{ { "\xE4\xB8", "\xAD" "a\rb" }, "\xE4\xB8\xAD <a\nb>" }, { { "one\r/quit\r" }, "<one\n/quit\n>" },
		{ { "one\r" }, "o n e Enter" }, { { "\r\r" }, "Enter Enter" }, { { "\r\t\r" }, "Enter Tab Enter" }, { { "\r\n" }, "Enter Ctrl-J" },
		{ { "a\nb" }, "a Ctrl-J b" }, { { "a\r", "b\r" }, "a Enter b Enter" },
		/* one line: keys; four different ones in one read are marked, a repeated one is a key held down */
		{ { "abc\r" }, "a b c Enter" }, { { "/quit\r" }, "~/ ~q ~u ~i ~t ~Enter" }, { { "abcd", "e\r" }, "~a ~b ~c ~d e Enter" },
		{ { "jjjjjjjj" }, "j j j j j j j j" }, { { "jjjjjjk" }, "~j ~j ~j ~j ~j ~j ~k" },
		{ { "\xC3\xA4\xC3\xB6\xC3\xBC" }, "\xC3\xA4 \xC3\xB6 \xC3\xBC" }, { { "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F" }, "~\xC3\xA4 ~\xC3\xB6 ~\xC3\xBC ~\xC3\x9F" },
		{ { "\x1B[Aabcd\x01" "efg" }, "Up ~a ~b ~c ~d Ctrl-A e f g" }, { { "\rabcd" }, "~Enter ~a ~b ~c ~d" },
		/* a paste that contains its own end bracket */
		{ { "\x1B[200~a\x1B[201~/quit\r\x03\x03", "b\r" }, "<a> ~</> ~<q> ~<u> ~<i> ~<t> b Enter" },
		{ { "\x1B[200~a\x1B[201~x\x1B[I\x1B" "y\x1B[A\x1B[<64;1;1M\x1B", "z", "q" }, "<a> <x> focus WheelUp q" },
	};
	struct buf out;

	buf_init(&out, 1 << 16);
	for (size_t i = 0; i < sizeof bursts / sizeof *bursts; i++) {
		struct key_decoder *d = key_decoder_new();

		buf_clear(&out);
		for (size_t k = 0; bursts[i].reads[k]; k++)
			key_decoder_feed(d, str_from(bursts[i].reads[k]), 1000 + (int64_t)k, note, &out);
		key_decoder_tick(d, 1000 + 99, note, &out);
		key_decoder_tick(d, 1002 + 100, note, &out);
		CHECK(str_is(buf_str(&out), bursts[i].keys), "case %zu: \"%s\", not \"%s\"", i, buf_z(&out), bursts[i].keys);
		CHECK(key_decoder_deadline(d) == INT64_MAX, "case %zu: nothing waits", i);
		key_decoder_free(d);
	}
	buf_fini(&out);
}

static void a_burst_ends_after_a_pause(void)
{
	struct key_decoder *d = key_decoder_new();
	struct buf out;

	buf_init(&out, 1 << 16);
	key_decoder_feed(d, STR("one\rtwo"), 1000, note, &out);
	CU_ASSERT_EQUAL(key_decoder_deadline(d), 1100);
	key_decoder_feed(d, STR("\rthree"), 1090, note, &out);
	CU_ASSERT_EQUAL(key_decoder_deadline(d), 1190);
	key_decoder_tick(d, 1190, note, &out);
	key_decoder_feed(d, STR("\r"), 1191, note, &out);
	CHECK_STR(buf_str(&out), "<one\ntwo\nthree> Enter");
	key_decoder_free(d);
	buf_fini(&out);
}

/* Decodes the key strings of terminfo entries. */
static void decodes_terminfo_keys(void)
{
	static const char *const types[] = {
		"xterm", "xterm-256color", "xterm-color", "linux", "rxvt", "rxvt-basic", "vt100", "vt102", "vt220", "screen", "screen-256color",
		"tmux", "tmux-256color", "cygwin", "hurd", "ansi", "pcansi", "Eterm",
	};

	static const struct { const char *capability, *key; } keys[] = {
		{ "kcuu1", "Up" }, { "kcud1", "Down" }, { "kcub1", "Left" }, { "kcuf1", "Right" }, { "khome", "Home" }, { "kend", "End" },
		{ "kpp", "PgUp" }, { "knp", "PgDn" }, { "kdch1", "Del" }, { "kbs", "Backspace" }, { "kcbt", "Shift-Tab" }, { "kent", "Enter" },
		{ "kf2", "F2" }, { "kf3", "F3" }, { "kf4", "F4" }, { "kLFT5", "Ctrl-Left" }, { "kRIT5", "Ctrl-Right" }, { "kHOM5", "Ctrl-Home" },
		{ "kEND5", "Ctrl-End" }, { "kDC5", "Ctrl-Del" }, { "kLFT3", "Alt-Left" }, { "kRIT3", "Alt-Right" }, { "kUP", "Shift-Up" },
	};
	unsigned known = 0;
	struct buf out;

	buf_init(&out, 1 << 10);
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
			struct key_decoder *d = key_decoder_new();
			char bytes[64];
			bool sends = terminfo_key(types[i], keys[k].capability, bytes, sizeof bytes);

			buf_clear(&out);
			key_decoder_feed(d, str_from(sends ? bytes : ""), 0, note, &out);
			key_decoder_tick(d, 10000, note, &out);
			known += sends;
			CHECK(!sends || str_is(buf_str(&out), keys[k].key), "%s: %s is \"%s\"", types[i], keys[k].key, buf_z(&out));
			key_decoder_free(d);
		}
	CHECK(known > 60, "terminfo knows of %u keys", known);
	buf_fini(&out);
}

#define PASTED "0123456789abcdefg"

static void count_paste(void *ctx, const struct key *key)
{
	size_t *len = ctx;

	CU_ASSERT_EQUAL(key->code, KEY_PASTE);
	*len = key->text.len;
	CU_ASSERT_EQUAL(key->text.ptr[*len - 1], PASTED[(*len - 1) % (sizeof PASTED - 1)]);
}

static void takes_a_large_paste(void)
{
	struct key_decoder *d = key_decoder_new();
	struct buf bytes;
	size_t len = 0;

	buf_init(&bytes, 64 << 20);
	buf_add(&bytes, STR("\x1B[200~"));
	while (bytes.len < (size_t)20 << 20)
		buf_add(&bytes, STR(PASTED));
	buf_add(&bytes, STR("\x1B[201~"));
	for (size_t at = 0; at < bytes.len; at += 4096)
		key_decoder_feed(d, str_head(str_skip(buf_str(&bytes), at), 4096), 0, count_paste, &len);
	CU_ASSERT_EQUAL(len, (size_t)16 << 20); /* a paste is cut at the maximum length of a prompt */
	buf_fini(&bytes);
	key_decoder_free(d);
}

static void survives_random_bytes(void)
{
	static const char alphabet[] = "\x1B\x1B\x1B[[[OO]P_;:0123456789~uABCDZ$^@<?\xC2\x9B\xE4\xB8\xAD\x07\\\r\nab";
	unsigned seed = 7;
	struct buf out;

	buf_init(&out, 64 << 20);
	for (unsigned round = 0; round < 2000; round++) {
		struct key_decoder *d = key_decoder_new();
		char bytes[64];

		buf_clear(&out);
		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = alphabet[check_random(&seed) % (sizeof alphabet - 1)];
		key_decoder_feed(d, str_of(bytes, sizeof bytes), 0, note, &out);
		key_decoder_tick(d, 10000, note, &out);
		CHECK(key_decoder_deadline(d) == INT64_MAX, "round %u", round);
		key_decoder_free(d);
	}
	buf_fini(&out);
}

static void names_round_trip(void)
{
	static const char *const names[] = {
		"Enter", "Alt-Enter", "Ctrl-T", "Ctrl-Space", "Alt-r", "F2", "Shift-F3", "PgUp", "Ctrl-Left", "Shift-Tab", "Esc", "Del", "?", "/",
		"Space", "Ctrl-\\", "Alt-[", "\xC3\xA4", "-", "Ctrl--", "Ctrl-Alt-Up",
	};
	struct buf out;

	buf_init(&out, 1 << 10);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct key key, again;

		CHECK(key_from_name(str_from(names[i]), &key), "%s", names[i]);
		buf_clear(&out);
		key_name(&key, &out);
		CHECK_STR(buf_str(&out), names[i]);
		CU_ASSERT(key_from_name(buf_str(&out), &again) && key_equal(&key, &again));
	}
	buf_fini(&out);
}

static void names_are_parsed_leniently(void)
{
	struct key key, other;

	CU_ASSERT(key_from_name(STR("ctrl-t"), &key) && key_from_name(STR("Ctrl-T"), &other) && key_equal(&key, &other));
	CU_ASSERT(key_from_name(STR("PageUp"), &key) && key.code == KEY_PAGE_UP);
	CU_ASSERT(key_from_name(STR("Alt-Ctrl-Up"), &key) && key.modifiers == (KEY_ALT_HELD | KEY_CTRL_HELD));
	CU_ASSERT_FALSE(key_from_name(STR(""), &key));
	CU_ASSERT_FALSE(key_from_name(STR("Ctrl-"), &key));
	CU_ASSERT_FALSE(key_from_name(STR("Hyper-x"), &key));
	CU_ASSERT_FALSE(key_from_name(STR("F13"), &key));
	CU_ASSERT_FALSE(key_equal(&key, &other));
}

static void ignore_key(void *ctx, const struct key *key)
{
	(void)ctx, (void)key;
}

static void reads_the_keyboard_protocol(void)
{
	static const struct { const char *bytes; enum key_protocol expected; } replies[] = {
		{ "", KEYS_PLAIN }, { "\x1B[?64;1;2c\x1B[13;2u\x1B[>0;276;0c", KEYS_PLAIN }, { "\x1B[>4;0m", KEYS_XTERM }, { "\x1B[?0u", KEYS_KITTY },
		{ "\x1B[?5u\x1B[>4;2m", KEYS_KITTY }, { "\x1B[>4;0m\x1B[?1u", KEYS_KITTY },
	};

	for (size_t i = 0; i < sizeof replies / sizeof *replies; i++) {
		struct key_decoder *d = key_decoder_new();

		key_decoder_feed(d, str_from(replies[i].bytes), 0, ignore_key, NULL);
		CHECK(key_decoder_protocol(d) == replies[i].expected, "case %zu", i);
		key_decoder_free(d);
	}
}

const struct suite suite_key = { "key", (const struct test[]){
	TEST(decodes_at_every_split), TEST(waits_after_escape), TEST(waits_longer_over_ssh), TEST(takes_a_large_paste),
	TEST(bursts_are_pastes), TEST(a_burst_ends_after_a_pause), TEST(decodes_terminfo_keys), TEST(reads_the_keyboard_protocol),
	TEST(survives_random_bytes), TEST(names_round_trip), TEST(names_are_parsed_leniently), { 0 } } };
