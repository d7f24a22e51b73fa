#include "store/config/mcp_tokens.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"

#define FOLDER "mcp-tokens"
#define FILE_BYTES ((size_t)128 << 10)

/* --- the token --- */

/* The texts of it by their names in the file. */
#define TOKEN_TEXTS(X)                                                                                                        \
	X("resource", resource) X("issuer", issuer) X("token_endpoint", endpoint) X("client_id", client.id)                   \
	X("client_secret", client.secret) X("access_token", access) X("refresh_token", refresh)

void mcp_token_fini(struct mcp_token *t)
{
#define X(name, member) oauth_drop(&t->member);
	TOKEN_TEXTS(X)
#undef X
	mem_free(t->scope);
	mem_free(t->wanted);
	*t = (struct mcp_token){ 0 };
}

static bool token_is_whole(const struct mcp_token *t)
{
	return t->resource && t->issuer && t->client.id && t->access && (!t->refresh || t->endpoint);
}

/* --- the file --- */

static void token_write(const struct mcp_token *t, const char *url, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	json_member_string(&w, "url", str_from(url));
#define X(name, member)    \
	if (t->member)     \
		json_member_string(&w, name, str_from(t->member));
	TOKEN_TEXTS(X)
#undef X
	json_member_string(&w, "client_method", str_from(oauth_method_name(t->client.method)));
	if (t->scope)
		json_member_string(&w, "scope", str_from(t->scope));
	if (t->wanted)
		json_member_string(&w, "wanted", str_from(t->wanted));
	json_member_integer(&w, "expires", t->expires_s);
	json_close_object(&w);
	buf_add_byte(out, '\n');
}

static void scope_take(char **scope, struct str text, const char *name)
{
	struct str raw = json_scan_find(text, (const char *const[]){ name, NULL });

	if (raw.len > 2)
		oauth_scope_join(scope, str_of(raw.ptr + 1, raw.len - 2));
}

static bool token_take(struct mcp_token *t, struct str text, const char *url)
{
	char *of = oauth_secret_of(text, "url"), *method = oauth_secret_of(text, "client_method");
	bool ours = of && !strcmp(of, url);
	long long expires;

#define X(name, member) t->member = oauth_secret_of(text, name);
	TOKEN_TEXTS(X)
#undef X
	for (enum oauth_method m = 0; method && m < OAUTH_METHOD_COUNT; m++)
		if (!strcmp(method, oauth_method_name(m)))
			t->client.method = m;
	mem_free(of);
	mem_free(method);
	if (!ours || !token_is_whole(t))
		return false;
	scope_take(&t->scope, text, "scope");
	scope_take(&t->wanted, text, "wanted");
	if (str_to_int(json_scan_find(text, (const char *const[]){ "expires", NULL }), &expires))
		t->expires_s = expires;
	return true;
}

/* --- the folder --- */

static enum private_state tokens_open(struct private_folder *folder, bool create, struct error *err)
{
	struct private_folder state;
	enum private_state opened = private_folder_open_state(&state, create, err);

	if (opened != PRIVATE_OPEN)
		return opened;
	opened = private_folder_open_in(folder, &state, FOLDER, create, err);
	private_folder_close(&state);
	return opened;
}

/* Room from the start: a buffer that grows leaves a copy behind. */
static void secret_room(struct buf *text)
{
	buf_init(text, FILE_BYTES);
	(void)buf_extend(text, FILE_BYTES - 1);
	buf_clear(text);
}

static bool token_read_in(struct mcp_token *t, const struct private_folder *folder, const char *url, struct error *err)
{
	char name[DIGEST_HEX + 1];
	struct buf text;
	bool good;
	int fd;

	digest_hex(str_from(url), name);
	if (private_file_open(folder, name, O_RDONLY, &fd, err) != PRIVATE_OPEN)
		return false;
	secret_room(&text);
	good = buf_read_fd(&text, fd, FOLDER, err);
	if (good && !token_take(t, buf_str(&text), url))
		good = error_set(err, "the token that is kept for it cannot be read; log in again");
	oauth_wipe(&text);
	close(fd);
	return good;
}

bool mcp_token_read(struct mcp_token *t, const char *url, struct error *err)
{
	struct private_folder folder;
	bool good;

	*t = (struct mcp_token){ 0 };
	if (tokens_open(&folder, false, err) != PRIVATE_OPEN)
		return false;
	good = token_read_in(t, &folder, url, err);
	private_folder_close(&folder);
	if (!good)
		mcp_token_fini(t);
	return good;
}

bool mcp_token_keep(const struct mcp_token *t, const char *url, struct error *err)
{
	struct private_folder folder;
	char name[DIGEST_HEX + 1];
	struct buf text;
	bool good;

	digest_hex(str_from(url), name);
	switch (tokens_open(&folder, true, err)) {
	case PRIVATE_REFUSED: return false;
	case PRIVATE_MISSING: return error_set(err, "there is no home folder: set the variable HOME or XDG_STATE_HOME");
	case PRIVATE_OPEN: break;
	}
	secret_room(&text);
	token_write(t, url, &text);
	good = private_file_replace(&folder, name, buf_str(&text), err);
	oauth_wipe(&text);
	private_folder_close(&folder);
	return good;
}

int64_t mcp_token_version(const char *url)
{
	struct private_folder folder;
	char name[DIGEST_HEX + 1];
	struct error err;
	struct stat info;
	int64_t version = 0;

	digest_hex(str_from(url), name);
	if (tokens_open(&folder, false, &err) != PRIVATE_OPEN)
		return 0;
	if (fstatat(folder.fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0)
		version = (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
	private_folder_close(&folder);
	return version;
}

/* --- the lock --- */

#define LOCK_END ".lock"
#define LOCK_SIZE (DIGEST_HEX + sizeof LOCK_END)

static void lock_write_name(const char *url, char name[LOCK_SIZE])
{
	digest_hex(str_from(url), name);
	memcpy(name + DIGEST_HEX, LOCK_END, sizeof LOCK_END);
}

int mcp_token_lock(const char *url)
{
	struct private_folder folder;
	char name[LOCK_SIZE];
	struct error err;

	lock_write_name(url, name);
	if (tokens_open(&folder, true, &err) != PRIVATE_OPEN)
		return MCP_TOKEN_UNLOCKED;
	int lock = private_file_lock(&folder, name);
	private_folder_close(&folder);
	return lock;
}

bool mcp_token_forget(const char *url, struct error *err)
{
	struct private_folder folder;
	char name[DIGEST_HEX + 1], lock[LOCK_SIZE];
	bool gone;

	digest_hex(str_from(url), name);
	lock_write_name(url, lock);
	if (tokens_open(&folder, false, err) != PRIVATE_OPEN)
		return false;
	gone = unlinkat(folder.fd, name, 0) == 0;
	if (!gone && errno != ENOENT)
		error_set(err, "%s/%s: %s", folder.path, name, strerror(errno));
	(void)unlinkat(folder.fd, lock, 0); /* who holds it does not keep what it gets */
	private_folder_close(&folder);
	return gone;
}
