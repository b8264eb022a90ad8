/* Sections of a checkpoint whose bytes lie with several processes. Each compresses its pieces; one
 * writes the sections, as they would be had one process held and compressed all: pieces of a deflate
 * stream that end at whole bytes (a sync flush) may be put one behind the other, and their Adler sums
 * are joined. */
#ifndef SC_PIECES_H
#define SC_PIECES_H

#include "io/trajectory/checkpoint.h"

enum { SC_PIECES = 64 }; /* most pieces of a process */

/* A process's pieces, compressed, each behind its head. Every process puts the same ones in the same
 * order; a section's are neighbours. */
typedef struct sc_pieces {
  sc_bytes bytes;
  int count;
  const char *section[SC_PIECES];
} sc_pieces;

/* section: a name that stays where it is. */
scree_status sc_pieces_put(
    sc_pieces *pieces, const char *section, const void *bytes, size_t count, scree_error *error);
void sc_pieces_free(sc_pieces *pieces);
/* Adds sections to out. all: the bytes of so many processes, one behind the other. A section is its
 * first piece of every process, then the second of every process, and so on. */
scree_status sc_pieces_join(
    const sc_pieces *like, int processes, const void *all, size_t size, sc_sections *out, scree_error *error);

/* One whole zlib stream of a head and a joined section. */
bool sc_pieces_stream(const void *head, size_t count, const sc_section *section, sc_bytes *out);
/* Decodes a section in place, so that it is like any other. */
scree_status sc_pieces_unpack(sc_section *section, scree_error *error);

#endif
