/* Letters as strokes. `strokes` of a glyph contains its strokes, separated by blanks. A stroke is a chain of
 * points. Each point is a digit for x and a letter for y (a: the lower edge, d: the base line, j: the height
 * of small letters, m: the height of capitals). A stroke that starts with ~ is smooth: its points are the
 * control points of a quadratic spline from the first to the last point. The glyphs were drawn for scree. */
#ifndef SC_GLYPHS_H
#define SC_GLYPHS_H

typedef struct sc_glyph {
  unsigned code; /* Unicode code point */
  int width;
  const char *strokes;
} sc_glyph;

// clang-format off
static const sc_glyph glyphs[] = {
    {' ', 3, ""}, {'!', 1, "0m0g 0d0d"}, {'"', 2, "0m0k 2m2k"}, {'#', 6, "1d2m 4d5m 0j6j 0g6g"},
    {'$', 6, "~6k6m0m0i6h6d0d0f 3n3c"}, {'%', 7, "7m0d ~0k0m3m3i0i0k ~4f4h7h7d4d4f"}, {'&', 7, "~7d1k1m5m5j0h0d6d7h"},
    {'\'', 1, "0m0k"}, {'(', 2, "~2n0k0e2b"}, {')', 2, "~0n2k2e0b"}, {'*', 4, "2m2g 0l4h 0h4l"}, {'+', 6, "3e3k 0h6h"},
    {',', 1, "1d0b"}, {'-', 4, "0h4h"}, {'.', 1, "0d0d"}, {'/', 4, "0b4n"},
    {'0', 5, "~0h0m5m5d0d0i"}, {'1', 3, "0k2m2d"}, {'2', 5, "~0k0m5m5i0d 0d5d"}, {'3', 5, "~0l0m5m5i2i ~2i5i5d0d0e"},
    {'4', 5, "4d4m0f5f"}, {'5', 5, "5m1m0i ~0i1j5j5d0d0e"}, {'6', 5, "~4m0m0d5d5i0i0g"}, {'7', 5, "0m5m1d"},
    {'8', 6, "~3i0i0m6m6i3i ~3i0i0d6d6i3i"}, {'9', 5, "~1d5d5m0m0h5h5j"},
    {':', 1, "0d0d 0i0i"}, {';', 1, "1d0b 0i0i"}, {'<', 5, "5k0h5e"}, {'=', 5, "0j5j 0f5f"}, {'>', 5, "0k5h0e"},
    {'?', 4, "~0k0m4m4i2i2g 2d2d"}, {'@', 8, "~6i6j3j3f6f6i ~6i6f8f8m0m0b7b"},
    {'A', 6, "0d3m6d 1g5g"}, {'B', 6, "0d0m ~0m6m6i0i ~0i7i7d0d"}, {'C', 6, "~6k6m0m0d6d6f"}, {'D', 6, "0d0m ~0m6m6d0d"},
    {'E', 5, "5m0m0d5d 0i4i"}, {'F', 5, "5m0m0d 0i4i"}, {'G', 6, "~6k6m0m0d6d6h 6h3h"}, {'H', 6, "0d0m 6d6m 0i6i"},
    {'I', 1, "0d0m"}, {'J', 4, "~4m4g4d0d0f"}, {'K', 6, "0d0m 6m0g 2i6d"}, {'L', 5, "0m0d5d"}, {'M', 8, "0d0m4f8m8d"},
    {'N', 6, "0d0m6d6m"}, {'O', 6, "~3m0m0d6d6m3m"}, {'P', 6, "0d0m ~0m7m7h0h"}, {'Q', 6, "~3m0m0d6d6m3m 4f6c"},
    {'R', 6, "0d0m ~0m7m7h0h 3h6d"}, {'S', 6, "~6k6m0m0i6h6d0d0f"}, {'T', 6, "0m6m 3m3d"}, {'U', 6, "~0m0g0d6d6g6m"},
    {'V', 6, "0m3d6m"}, {'W', 8, "0m2d4k6d8m"}, {'X', 6, "0d6m 0m6d"}, {'Y', 6, "0m3h6m 3h3d"}, {'Z', 6, "0m6m0d6d"},
    {'[', 2, "2n0n0b2b"}, {'\\', 4, "0n4b"}, {']', 2, "0n2n2b0b"}, {'^', 4, "0j2m4j"}, {'_', 5, "0c5c"}, {'`', 2, "0m2k"},
    {'a', 5, "5j5d ~5h5j0j0d5d5f"}, {'b', 5, "0m0d ~0h0j5j5d0d0f"}, {'c', 5, "~5h5j0j0d5d5f"}, {'d', 5, "5m5d ~5h5j0j0d5d5f"},
    {'e', 5, "0g5g ~5g5j0j0d4d5e"}, {'f', 4, "~4m1m1k1i 1i1d 0j3j"}, {'g', 5, "~5j5d5a0a0b ~5h5j0j0d5d5f"},
    {'h', 5, "0m0d ~0g0j5j5g5d"}, {'i', 1, "0j0d 0l0l"}, {'j', 2, "2j2c ~2c2a0a 2l2l"}, {'k', 4, "0m0d 4j0f 1g4d"},
    {'l', 2, "~0m0f0d2d"}, {'m', 8, "0j0d ~0g0j4j4g4d ~4g4j8j8g8d"}, {'n', 5, "0j0d ~0g0j5j5g5d"}, {'o', 5, "~0g0j5j5d0d0g"},
    {'p', 5, "0j0a ~0h0j5j5d0d0f"}, {'q', 5, "5j5a ~5h5j0j0d5d5f"}, {'r', 3, "0j0d ~0g0j2j3j"}, {'s', 5, "~5i5j0j0g5g5d0d0e"},
    {'t', 4, "~1l1g1d4d 0j3j"}, {'u', 5, "5j5d ~0j0g0d5d5g"}, {'v', 4, "0j2d4j"}, {'w', 6, "0j1d3i5d6j"}, {'x', 4, "0d4j 0j4d"},
    {'y', 4, "0j2d 4j1a"}, {'z', 4, "0j4j0d4d"}, {'{', 3, "3n2m2i1h2g2c3b"}, {'|', 1, "0n0b"}, {'}', 3, "0n1m1i2h1g1c0b"},
    {'~', 6, "~0g0j3i6e6i"}, {0xb0, 3, "~0l0m3m3j0j0l"}, {0xb2, 3, "~0l0m3m3k0i 0i3i"}, {0xb3, 3, "0m3m1k ~1k3k3h0h"},
    {0xb5, 5, "0j0a ~0g0d5d5g 5j5d"}, {0x3bc, 5, "0j0a ~0g0d5d5g 5j5d"}, {0xb7, 1, "0h0h"}, {0xd7, 5, "0e5j 0j5e"},
    {0x2013, 6, "0h6h"}, {0x3c9, 7, "~1j0h0d3d3g ~3g3d7d7h6j"}, {0x3c6, 6, "~0g0j6j6d0d0g 3m3a"},
    {0xfffd, 5, "0d0m5m5d0d"},
};
// clang-format on

#endif
