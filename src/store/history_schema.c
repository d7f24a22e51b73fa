/* The tables of the history, and which form of them a file has. */
#include "store/history_inside.h"

#include <stdio.h>

#define X_COLUMNS(upper, member, part_of, label, word, rank, price) "  " member " INTEGER,\n"
#define X_SPENT(upper, member, part_of, label, word, rank, price) "  spent_" member " INTEGER,\n"

/* SQLite keeps this text, so that `.schema` shows the comments too. */
static const char schema[] =
	"-- Conversations of weir. Times are milliseconds or seconds since 1970, as said: datetime(updated / 1000, 'unixepoch').\n"
	"-- Text that is not valid UTF-8, or holds a NUL, is stored as a BLOB.\n"
	"CREATE TABLE form (\n"
	"  id INTEGER PRIMARY KEY CHECK (id = 1),\n"
	"  number INTEGER NOT NULL, -- equals PRAGMA user_version; another weir reads only what it knows\n"
	"  tended INTEGER,          -- when the file was tended last, in milliseconds\n"
	"  unclean INTEGER NOT NULL DEFAULT 0 -- deleted words may still be in the search or in the WAL\n"
	");\n"
	"CREATE TABLE conversation (\n"
	"  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	"  key TEXT NOT NULL UNIQUE, -- the id that weir shows; an import's own\n"
	"  title TEXT,\n"
	"  titled_by TEXT,           -- prompt, model, user or import\n"
	"  created INTEGER NOT NULL, -- milliseconds\n"
	"  updated INTEGER NOT NULL, -- milliseconds\n"
	"  pinned INTEGER NOT NULL DEFAULT 0,\n"
	"  deleted INTEGER,          -- hidden; goes when the file is tended\n"
	"  leaf INTEGER,             -- the node that is shown last\n"
	"  provider TEXT,            -- these three: of the last answer\n"
	"  model TEXT,\n"
	"  protocol TEXT,\n"
	"  turns INTEGER NOT NULL DEFAULT 0, -- prompts; from here to cost_source: sums over its nodes\n"
	USAGE_FIGURES(X_COLUMNS)
	"  cost REAL,                -- NULL: some of it is unknown\n"
	"  currency TEXT,\n"
	"  cost_source TEXT,         -- exact: as the provider reported; estimated: from prices\n"
	"  system_prompt TEXT,\n"
	"  parameters TEXT,          -- a JSON object\n"
	"  tools TEXT,               -- definitions, JSON\n"
	"  schema TEXT               -- that answers have to follow, JSON\n"
	");\n"
	"CREATE INDEX conversation_updated ON conversation (updated, id) WHERE deleted IS NULL;\n"
	"CREATE INDEX conversation_deleted ON conversation (deleted) WHERE deleted IS NOT NULL;\n"
	"CREATE TABLE node ( -- a turn, in a tree\n"
	"  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	"  conversation INTEGER NOT NULL REFERENCES conversation (id),\n"
	"  parent INTEGER REFERENCES node (id), -- NULL at a root\n"
	"  role TEXT NOT NULL,       -- user or assistant\n"
	"  child INTEGER,            -- the child that was shown last\n"
	"  deleted INTEGER,          -- hidden; goes when the file is tended\n"
	"  started INTEGER NOT NULL, -- seconds\n"
	"  outcome TEXT,             -- complete, tool_calls, length, filtered, paused, error, cut, stalled, cancelled; NULL: it never ended\n"
	"  provider TEXT,\n"
	"  protocol TEXT,\n"
	"  model TEXT,               -- as requested\n"
	"  answered_model TEXT,      -- as the server says\n"
	"  answered_id TEXT,\n"
	USAGE_FIGURES(X_COLUMNS)
	USAGE_FIGURES(X_SPENT)
	"  spent_roughly INTEGER NOT NULL DEFAULT 0, -- spent_*: by requests before it was continued\n"
	"  cost REAL,                -- NULL: unknown\n"
	"  currency TEXT,\n"
	"  cost_source TEXT,         -- exact or estimated\n"
	"  reported_cost REAL,       -- USD, of the last request, by the provider; NULL: it said none\n"
	"  price_input REAL,         -- USD per million tokens; NULL: unknown\n"
	"  price_output REAL,\n"
	"  price_cached REAL,        -- NULL: that of input; the same for cache_write\n"
	"  price_cache_write REAL,\n"
	"  price_reasoning REAL,     -- NULL: that of output\n"
	"  price_below INTEGER NOT NULL DEFAULT 0, -- they hold for prompts with fewer tokens; 0: for all\n"
	"  spent_cost REAL NOT NULL DEFAULT 0,     -- USD, of the requests before it was continued, and what it is made of\n"
	"  spent_is_reported INTEGER NOT NULL DEFAULT 0,\n"
	"  spent_is_estimated INTEGER NOT NULL DEFAULT 0,\n"
	"  spent_is_unknown INTEGER NOT NULL DEFAULT 0,\n"
	"  copied INTEGER NOT NULL DEFAULT 0,      -- what it took counts at the answer that it is a copy of\n"
	"  context INTEGER NOT NULL DEFAULT 0,     -- tokens of the context behind it, where its usage does not say so; 0: unknown\n"
	"  context_is_rough INTEGER NOT NULL DEFAULT 0, -- context is an estimate\n"
	"  routed_known INTEGER NOT NULL DEFAULT 0,\n"
	"  routed INTEGER,\n"
	"  routed_model TEXT,\n"
	"  routing_latency_ms REAL,\n"
	"  finish_reason TEXT,\n"
	"  has_error INTEGER NOT NULL DEFAULT 0,\n"
	"  error_message TEXT,\n"
	"  error_type TEXT,\n"
	"  error_code TEXT,\n"
	"  error_status INTEGER,     -- of HTTP\n"
	"  ended_ms REAL,            -- since the request was sent\n"
	"  open_from INTEGER,        -- position of the first part of the last request\n"
	"  restarted_at INTEGER,     -- parts before this position were withdrawn by the server\n"
	"  model_unknown INTEGER NOT NULL DEFAULT 0,\n"
	"  label TEXT,               -- the user's\n"
	"  tape TEXT,                -- path of its recording\n"
	"  meter TEXT,               -- figures while it streamed, for weir\n"
	"  details TEXT,             -- status line, headers, raw error\n"
	"  earlier TEXT              -- the same of requests before it was continued\n"
	");\n"
	"CREATE INDEX node_conversation ON node (conversation);\n"
	"CREATE INDEX node_parent ON node (parent);\n"
	"CREATE INDEX node_started ON node (started);\n"
	"CREATE INDEX node_deleted ON node (deleted) WHERE deleted IS NOT NULL;\n"
	"CREATE TABLE part (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  node INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,\n"
	"  position INTEGER NOT NULL,\n"
	"  kind TEXT NOT NULL,       -- text, reasoning, refusal, tool_call, tool_result, attachment or opaque\n"
	"  number INTEGER NOT NULL,  -- of the part in the stream\n"
	"  call INTEGER NOT NULL,    -- index of the tool call it belongs to; -1: none\n"
	"  call_id TEXT,             -- of a tool call or its result\n"
	"  name TEXT,                -- of a tool, a file, or opaque data's format\n"
	"  media TEXT,               -- of an attachment\n"
	"  attachment INTEGER REFERENCES attachment (id),\n"
	"  bytes INTEGER NOT NULL,   -- of its text, which is in `piece`\n"
	"  open INTEGER NOT NULL,    -- may still grow\n"
	"  valid INTEGER NOT NULL,   -- a call's arguments are whole\n"
	"  is_error INTEGER NOT NULL,\n"
	"  begun_ms REAL,            -- since the request was sent\n"
	"  ended_ms REAL,\n"
	"  UNIQUE (node, position)\n"
	");\n"
	"CREATE INDEX part_attachment ON part (attachment) WHERE attachment IS NOT NULL;\n"
	"CREATE TABLE piece ( -- text of a part: its pieces in order, nothing between them\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  part INTEGER NOT NULL REFERENCES part (id) ON DELETE CASCADE,\n"
	"  position INTEGER NOT NULL,\n"
	"  content TEXT NOT NULL,\n"
	"  UNIQUE (part, position)\n"
	");\n"
	"CREATE TABLE unindexed ( -- pieces that `search` does not know yet\n"
	"  piece INTEGER PRIMARY KEY REFERENCES piece (id) ON DELETE CASCADE\n"
	");\n"
	"CREATE TABLE attachment (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  sha256 TEXT NOT NULL UNIQUE,\n"
	"  content BLOB NOT NULL\n"
	");\n"
	"CREATE TABLE note ( -- what weir noticed about an answer\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  node INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,\n"
	"  position INTEGER NOT NULL,\n"
	"  part INTEGER NOT NULL,    -- number of parts when it came\n"
	"  rule TEXT NOT NULL,\n"
	"  text TEXT NOT NULL,\n"
	"  UNIQUE (node, position)\n"
	");\n"
	"CREATE TABLE joint ( -- where another request continued an answer\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  node INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,\n"
	"  position INTEGER NOT NULL,\n"
	"  part INTEGER NOT NULL,    -- the first part after it\n"
	"  by_words INTEGER NOT NULL,\n"
	"  outcome TEXT NOT NULL,    -- of the request before it\n"
	"  UNIQUE (node, position)\n"
	");\n"
	"CREATE TABLE source ( -- that an answer cites\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  node INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,\n"
	"  position INTEGER NOT NULL,\n"
	"  url TEXT NOT NULL,\n"
	"  title TEXT NOT NULL,\n"
	"  text TEXT NOT NULL,\n"
	"  UNIQUE (node, position)\n"
	");\n"
	"CREATE TABLE place ( -- in the answer, that a source supports\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  node INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,\n"
	"  position INTEGER NOT NULL,\n"
	"  source INTEGER NOT NULL,  -- its position\n"
	"  part INTEGER NOT NULL,    -- number of the part\n"
	"  from_part INTEGER NOT NULL,\n"
	"  unit INTEGER NOT NULL,    -- 0 none, 1 the end of the part, 2 bytes, 3 characters\n"
	"  offset INTEGER NOT NULL,\n"
	"  UNIQUE (node, position)\n"
	");\n"
	"CREATE VIEW message AS -- what was said, in whole texts\n"
	"  SELECT conversation.key, conversation.title, node.conversation, node.id AS node, node.parent, node.role, node.model,\n"
	"    datetime(node.started, 'unixepoch') AS started, part.position, part.kind, part.name,\n"
	"    (SELECT group_concat(content, '') FROM (SELECT content FROM piece WHERE piece.part = part.id ORDER BY piece.position)) AS text\n"
	"  FROM part JOIN node ON node.id = part.node JOIN conversation ON conversation.id = node.conversation\n"
	"  WHERE node.deleted IS NULL AND conversation.deleted IS NULL;\n"
	"CREATE VIRTUAL TABLE search USING fts5 ( -- texts and refusals by word; rowid is piece.id\n"
	"  content, content = 'piece', content_rowid = 'id', prefix = '2 3', tokenize = '" HISTORY_TOKENIZER "'\n"
	");\n";

/* SQLite gives 1000 pages of 4 KiB as the WAL's usual size; merges are made when the file is tended, never by a write. */
static const char settings_of_search[] =
	"INSERT INTO search (search, rank) VALUES ('automerge', 0);"
	"INSERT INTO search (search, rank) VALUES ('crisismerge', 1900);"
	"INSERT INTO search (search, rank) VALUES ('hashsize', 4194304);";

const char *history_schema(void)
{
	return schema;
}

void history_create_tables(struct database *db)
{
	char numbers[160];

	database_script(db, schema);
	database_script(db, settings_of_search);
	snprintf(numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d; INSERT INTO form (id, number) VALUES (1, %d)",
	         HISTORY_APPLICATION, HISTORY_FORM, HISTORY_FORM);
	database_script(db, numbers);
}

/*
 * The header's numbers and the row say the same, unless a page is damaged: so a damaged header is not mistaken for a later version, which
 * would never be recovered.
 */
enum history_status history_check_form(struct database *db, struct error *err)
{
	int64_t application = database_integer(db, "PRAGMA application_id", NO_VALUES, 0);
	int64_t version = database_integer(db, "PRAGMA user_version", NO_VALUES, 0);
	int64_t tables = database_integer(db, "SELECT count(*) FROM sqlite_schema", NO_VALUES, 0);
	int64_t ours = database_integer(db, "SELECT count(*) FROM sqlite_schema WHERE name IN ('form', 'conversation', 'piece')", NO_VALUES, 0);

	if (database_status(db) != DATABASE_OK)
		return history_status_from(db, "the history cannot be read", err);
	if (!tables && !application && !version)
		return HISTORY_ABSENT; /* an empty file: its creation was interrupted */
	if (ours < 3 && application != HISTORY_APPLICATION) {
		error_set(err, "the history cannot be read: it is another program's database");
		return HISTORY_FAILED;
	}
	if (ours < 3 || application != HISTORY_APPLICATION ||
	    database_integer(db, "SELECT number FROM form WHERE id = 1", NO_VALUES, -1) != version) {
		database_fail(db, DATABASE_DAMAGED, "it is damaged");
		return history_status_from(db, "the history cannot be read", err);
	}
	if (version > HISTORY_FORM) {
		error_set(err, "the history was written by a later version of weir: install that version, or move the file away");
		return HISTORY_NEWER;
	}
	return version < HISTORY_FORM ? HISTORY_OLDER : HISTORY_OK;
}
