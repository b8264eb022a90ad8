/* Sections of a checkpoint whose bytes are distributed over several processes. Each process compresses its
 * pieces; one process writes the sections. Pieces of a deflate stream that end at whole bytes (a sync flush)
 * can be concatenated, and their Adler-32 sums can be combined. The joined stream decodes to the bytes that a
 * single process would have written. */
#ifndef SC_PIECES_H
#define SC_PIECES_H

#include "io/trajectory/checkpoint.h"

enum { SC_PIECES = 64 }; /* largest number of pieces of a process */

/* The compressed pieces of a process; three numbers precede each piece (pieces.c). Every process has pieces
 * of the same sections in the same order. The pieces of a section are adjacent. section: name of the section
 * of each piece. */
typedef struct sc_pieces {
  sc_bytes bytes;
  int count;
  const char *section[SC_PIECES];
} sc_pieces;

/* Compresses `count` bytes and appends them as a piece of a section. The name `section` must stay valid as
 * long as the pieces. */
scree_status sc_pieces_put(
    sc_pieces *pieces, const char *section, const void *bytes, size_t count, scree_error *error);
/* Frees the pieces. */
void sc_pieces_free(sc_pieces *pieces);
/* Joins the pieces of all processes and adds the sections to out. all: the pieces of process 0, 1, ...,
 * concatenated. like: the pieces of any process, for names and number. A section is the first piece of every
 * process, then the second piece of every process, and so on. */
scree_status sc_pieces_join(
    const sc_pieces *like, int processes, const void *all, size_t size, sc_sections *out, scree_error *error);

/* Sets out to the complete zlib stream of `head` and the bytes of a joined section. Returns false if out of
 * memory. */
bool sc_pieces_stream(const void *head, size_t count, const sc_section *section, sc_bytes *out);
/* Decompresses a joined section. It is an ordinary section afterwards. */
scree_status sc_pieces_unpack(sc_section *section, scree_error *error);

#endif
