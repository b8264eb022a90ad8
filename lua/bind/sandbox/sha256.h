/* SHA-256 (FIPS 180-4) of a text, for provenance: which scene, which modules. */
#ifndef SL_SHA256_H
#define SL_SHA256_H

#include <stddef.h>

enum { SL_SHA256_HEX = 65 };
/* Writes 64 lower-case hexadecimal digits and a terminating zero. */
void sl_sha256(const void *bytes, size_t count, char hex[SL_SHA256_HEX]);

#endif
