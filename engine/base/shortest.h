/* Numbers in messages. */
#ifndef SC_SHORTEST_H
#define SC_SHORTEST_H

/* Writes the shortest decimal that reads back as value, and returns text. Whole numbers below 1e15 have no
 * exponent. */
const char *sc_shortest(double value, char text[32]);

#endif
