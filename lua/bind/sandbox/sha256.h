/* SHA-256 (FIPS 180-4), which identifies scenes and modules in the provenance. */
#ifndef SL_SHA256_H
#define SL_SHA256_H

#include <stddef.h>

enum { SL_SHA256_HEX = 65 };
/* Writes the hash of the bytes as 64 lower-case hexadecimal digits and a terminating zero. */
void sl_sha256(const void *bytes, size_t count, char hex[SL_SHA256_HEX]);

#endif
