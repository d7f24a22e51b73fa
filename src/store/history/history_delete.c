/* Deleting: rows are hidden at once, and deleted for good when the file is maintained. */
#include "store/history/history_inside.h"

#define NOT_DELETED "nothing is deleted"

/* Marks are times, so that later ones are larger; each is used once. */
static int64_t new_mark(struct database *db)
{
	int64_t now = history_now_ms();
	int64_t last = database_integer(db, "SELECT max(ifnull((SELECT max(deleted) FROM node WHERE deleted IS NOT NULL), 0), "
	                                "ifnull((SELECT max(deleted) FROM conversation WHERE deleted IS NOT NULL), 0))", NO_VALUES, 0);

	return now > last ? now : last + 1;
}

/* Hides a node with what is below it. What shows it last shows its parent. */
static int64_t hide_node(struct history *h, int64_t conversation, int64_t node, int64_t mark)
{
	int64_t hidden = database_do(h->db, "WITH RECURSIVE below (id) AS (SELECT id FROM node WHERE id = ?1 AND conversation = ?2 UNION "
	                             "SELECT node.id FROM node JOIN below ON node.parent = below.id) "
	                             "UPDATE node SET deleted = ?3 WHERE id IN (SELECT id FROM below) AND deleted IS NULL",
	                             VALUES(INTEGER(node), INTEGER(conversation), INTEGER(mark)));

	database_do(h->db, "UPDATE conversation SET leaf = (SELECT parent FROM node WHERE id = ?2) WHERE id = ?1 AND leaf IN "
	            "(SELECT id FROM node WHERE deleted = ?3)", VALUES(INTEGER(conversation), INTEGER(node), INTEGER(mark)));
	history_sum_up_later(h, conversation);
	return hidden;
}

enum history_status history_delete(struct history *h, int64_t conversation, int64_t node, int64_t *mark, struct error *err)
{
	history_open_transaction(h);
	*mark = new_mark(h->db);
	history_require_row(h, node ? hide_node(h, conversation, node, *mark) :
	                    database_do(h->db, "UPDATE conversation SET deleted = ? WHERE id = ? AND deleted IS NULL",
	                                VALUES(INTEGER(*mark), INTEGER(conversation))));
	return history_close_transaction(h, NOT_DELETED, err);
}

enum history_status history_undelete(struct history *h, int64_t mark, struct error *err)
{
	int64_t conversation, shown;

	history_open_transaction(h);
	conversation = database_integer(h->db, "SELECT conversation FROM node WHERE deleted = ?", VALUES(INTEGER(mark)), 0);
	shown = database_do(h->db, "UPDATE node SET deleted = NULL WHERE deleted = ?", VALUES(INTEGER(mark)));
	shown += database_do(h->db, "UPDATE conversation SET deleted = NULL WHERE deleted = ?", VALUES(INTEGER(mark)));
	if (!shown)
		database_fail(h->db, DATABASE_ABSENT, "it has been deleted for good");
	if (conversation)
		history_sum_up_later(h, conversation);
	return history_close_transaction(h, "nothing is brought back", err);
}
