/* Functions of a distributed world that the world calls through sc_ranks (world/ranks.h) and the solvers
 * through sc_exchange (problem/exchange.h). context: the sd_dist. */
#ifndef SD_CALLS_H
#define SD_CALLS_H

#include "dist/dist.h"

/* ---- exchange.c ---- */
/* Returns the weighted mean of a value over all ranks; 0 if the weights sum to 0. Collective. */
double sd_mean(void *context, double value, double weight);
/* Returns the maximum of a value over all ranks. Collective. */
double sd_largest(void *context, double value);
/* Starts to compute the maximum of `value`, the largest change of this sweep, over all ranks. Returns the
 * maximum of the previous sweep, INFINITY if `first`. The delay of one sweep hides the time of the
 * message. */
double sd_decide(void *context, bool first, double value);
/* Returns the maximum over all ranks that the last sd_decide has started to compute. Ignores `value`. */
double sd_conclude(void *context, double value);

/* ---- align.c, states.c ---- */
/* sc_ranks.begin: starts the vote of all ranks on whether neighbour lists are stale (out of date), as request
 * 0. Also starts the messages with the states of exported bodies. stale: this rank's vote. */
scree_status sd_begin(void *context, scree_world *world, bool stale, scree_error *error);
/* sc_ranks.align: if the neighbour list of any rank is stale, redistributes bodies and chooses ghosts anew;
 * else updates the ghosts. Sets *stale to the result of the vote on all ranks. */
scree_status sd_align(void *context, scree_world *world, double dt, bool *stale, scree_error *error);

/* ---- border.c ---- */
/* sc_ranks.share_contacts: calls sd_share for the bodies of the detected contacts and of joints. Sets *shares
 * to an array [bodies] in the arena: number of ranks that solve contacts of the body, at least 1. */
scree_status sd_share_contacts(void *context, scree_world *world, const int32_t **shares, scree_error *error);
/* sc_exchange.start: sends the velocities of ghosts with contacts on this rank to the owners of the
 * bodies. */
void sd_start(void *context, const sc_solver_body *body);
/* sc_exchange.advance: once the velocities of all copies have arrived, forms their means and sends them.
 * Returns false once all messages of the exchange have arrived. */
bool sd_advance(void *context, sc_solver_body *body);
/* sc_exchange.finish: waits for all messages and sets the velocities of shared bodies to the means. */
void sd_finish(void *context, sc_solver_body *body);

/* ---- impact.c, bodies.c ---- */
/* Solves rounds of impacts at contacts that close faster than `least` [m/s]. Collective. */
scree_status sd_strike(void *context, struct sc_rounds *r, double least, scree_error *error);
/* Returns the row of a replicated body; -1 with an error for other bodies. */
int32_t sd_row(void *context, const scree_world *world, scree_id id, scree_error *error);
/* Returns the row of a body that this rank changes; -2: other ranks change the body; -1 with an error: the
 * body has been removed. */
int32_t sd_row_to_change(void *context, const scree_world *world, scree_id id, scree_error *error);
/* Sets *state to the state of a body on every rank. Collective. Fails if the body has been removed. */
scree_status sd_read(
    void *context, const scree_world *world, scree_id id, scree_body_state *state, scree_error *error);
/* Fails with the message "WHAT on one rank only, not on N: INSTEAD". */
scree_status sd_refuse(void *context, const char *what, const char *instead, scree_error *error);

/* ---- frame.c, report.c ---- */
/* Fills a frame with the bodies of all ranks, in the order of ids, and with their contacts if with_contacts
 * is true. Collective. */
scree_status sd_frame(void *context, const scree_world *world, bool with_contacts,
    struct scree_frame_buffer *buffer, scree_error *error);
/* Replaces the counts, sums and maxima of this rank in *report by those of all ranks. *depth: sum of
 * penetrations [m], replaced in the same way. Collective. */
void sd_report(void *context, scree_report *report, double *depth);

/* ---- save.c, rows.c ---- */
/* Writes the world into the sections of a checkpoint on rank 0. Collective. */
scree_status sd_save(void *context, const scree_world *world, sc_sections *out, scree_error *error);
/* Returns true if every rank still has all bodies, because neighbour lists have not been built since the
 * world was distributed. */
bool sd_whole(void *context);
/* Sends numbers of bodies from their owners to the other ranks. number: [bodies] input for own bodies; set to
 * the owner's number for ghosts and replicated bodies, -1 if the body has been removed. Collective. */
scree_status sd_tell_rows(void *context, const scree_world *world, int32_t *number, scree_error *error);

#endif
