/*
 * The player: plays a tape into an answer, forward and back. It holds the position in the tape, its clock and the log of deltas
 * (chat/player/delta_log.h), from which the answer is set to any place.
 *
 * A position is a moment (chat/player/delta_log.h: behind a frame, or the end of the tape), a number of deltas (a frame may be played in part), and a
 * time of the tape. Seeking makes the answer exactly what playing up to there makes it; so whatever is computed from answer and time alone is
 * the same, too. Frames are those of wire/framer.h, from 1 on.
 *
 * Two clocks: `now_ms` is the real one and tells how far the tape has come; what the answer holds comes from the tape's times only.
 */
#ifndef WEIR_CHAT_PLAYER_H
#define WEIR_CHAT_PLAYER_H

#include "chat/exchange/findings.h"
#include "chat/player/delta_log.h"
#include "net/source.h"

#define PLAYER_GAP_MS 1000.0 /* a silence of this length is a gap */

struct player; /* heap */

/*
 * The tape must outlive the player. `findings`: what observes `stream`, or NULL; the player owns it then. `status` as in delta_log_new().
 * `speed` 1.0 is the tape's own; 0 is as fast as possible. It is at the start, and plays.
 */
struct player *player_new(const struct tape *tape, const struct stream_options *stream, struct findings *findings, int status, double speed,
                          int64_t now_ms);
void player_free(struct player *p);
/* The answer that it plays into, empty as conversation_answer() made it. Borrowed; call once, before anything is played. */
void player_show(struct player *p, struct turn *answer);

/* When player_run() is to be called: at once while the tape is being decoded, ahead of the position; NO_DEADLINE: it stands still. */
int64_t player_deadline(const struct player *p);
void player_run(struct player *p, int64_t now_ms);      /* decodes a portion, and plays what is due, a bounded portion of it */

void player_pause(struct player *p, bool paused, int64_t now_ms);
/*
 * For a tape that is still being written (net/tape.h). The first call goes to its end. Call it again whenever the tape has grown: if the
 * player is at its end and not paused, it plays what came at once. `more`: more may come; what stands behind the end of a tape can come after that.
 */
void player_follow(struct player *p, bool more, int64_t now_ms);
bool player_follows(const struct player *p);            /* more may come */
void player_set_speed(struct player *p, double speed, int64_t now_ms);
void player_set_idle(struct player *p, double idle_ms, int64_t now_ms); /* longer gaps are played as if they were so long; 0: none is */
/*
 * The range is where playing ends and a loop begins again; one can leave it. `to_ms` not behind `from_ms`: to the end of the tape. A loop
 * stands still for a second at its end; without one the player pauses there.
 */
void player_set_range(struct player *p, double from_ms, double to_ms, int64_t now_ms);
void player_set_loop(struct player *p, bool loops, int64_t now_ms);

/*
 * Moving. Each pauses, but player_seek_ms() and player_seek_share() go on playing from there, unless that is as fast as possible. False:
 * it was at the end or the start already, or there is nothing of that kind.
 */
bool player_step_frame(struct player *p, int step, int64_t now_ms);  /* 1: completes this frame, or plays the next or the end; -1: takes one back */
bool player_step_delta(struct player *p, int step, int64_t now_ms);
bool player_seek_frame(struct player *p, size_t frame, int64_t now_ms); /* behind a frame; 0: the start, beyond the last one: the end */
bool player_seek_ms(struct player *p, double at_ms, int64_t now_ms); /* beyond either end: to it */
bool player_seek_share(struct player *p, double share, int64_t now_ms); /* 0 to 1 of the time; of the moments if the tape has no times */

/* What one looks for in a tape. Going to one shows it: it is the last thing that was played. */
enum player_stop { PLAYER_REASONING, PLAYER_CALL, PLAYER_ERROR, PLAYER_GAP, PLAYER_USAGE, PLAYER_REPAIR, PLAYER_STOP_COUNT };
bool player_find(struct player *p, enum player_stop what, int step, int64_t now_ms); /* the next (1) or previous (-1) one */

const struct delta_log *player_log(const struct player *p);
const struct findings *player_findings(const struct player *p); /* also those of frames that were decoded ahead; NULL: it is not checked */
size_t player_found(const struct player *p);            /* how many of them were made up to the position */
bool player_paused(const struct player *p);
bool player_at_end(const struct player *p);             /* everything was played, and no more comes */
double player_speed(const struct player *p);            /* 0: as fast as possible */
double player_idle_ms(const struct player *p);
bool player_loops(const struct player *p);
bool player_range(const struct player *p, double *from_ms, double *to_ms); /* false: it is the whole tape */
double player_position_ms(const struct player *p, int64_t now_ms);
double player_length_ms(const struct player *p);        /* time of the end */
double player_next_ms(const struct player *p);          /* time of the next moment; at the end, of the last one */
size_t player_frame(const struct player *p);            /* the last frame that was played, or begun; 0: none */
bool player_is_read(const struct player *p);            /* the whole tape was decoded: player_frames() is final */
size_t player_frames(const struct player *p);           /* number of frames of the tape, as far as it was decoded */
size_t player_behind(const struct player *p);          /* number of steps behind the end (net/tape.h) that were played */
size_t player_delta(const struct player *p);            /* number of deltas played */
uint64_t player_moves(const struct player *p);          /* increases whenever the answer changes, or the tape grew */

#endif
