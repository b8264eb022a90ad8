/* Colours for numbers and for groups. Palettes have uniformly rising brightness (viridis, magma: Smith and
 * van der Walt 2015; cividis: Nuñez, Anderton and Renslow 2018; grey) or run from one hue through light grey
 * to another hue (diverging; Moreland 2009). Colours of groups are those of Okabe and Ito 2008. */
#include "draw/draw.h"

enum { STOPS = 9, GROUPS = 8 };

typedef struct palette {
  const char *name;
  int count;
  uint32_t stop[STOPS];
} palette;
static const palette palettes[] = {
    {"viridis", 9,
        {0x440154, 0x472c7a, 0x3b518b, 0x2c718e, 0x21908d, 0x27ad81, 0x5cc863, 0xaadc32, 0xfde725}},
    {"magma", 9, {0x000004, 0x1c1044, 0x4f127b, 0x812581, 0xb5367a, 0xe55964, 0xfb8761, 0xfec287, 0xfbfdbf}},
    {"cividis", 9,
        {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xfee838}},
    {"grey", 2, {0x202020, 0xf4f4f4}},
    {"diverging", 5, {0x3b4cc0, 0x8db0fe, 0xdddddd, 0xf4987a, 0xb40426}},
};
enum { PALETTES = sizeof palettes / sizeof *palettes };
static const uint32_t groups[GROUPS] = {
    0x3f8fc5, 0xe07b39, 0x35a67f, 0xcc79a7, 0xe8b33a, 0x7fc4ec, 0x8a6d4b, 0x8c8c94};

const char *scree_palette_name(int p) { return p >= 0 && p < PALETTES ? palettes[p].name : NULL; }

static void split_color(uint32_t color, unsigned char out[3]) {
  out[0] = (unsigned char)(color >> 16), out[1] = (unsigned char)(color >> 8), out[2] = (unsigned char)color;
}

void scree_palette_color(int p, double value, unsigned char color[3]) {
  SC_DEMAND(color, NULL, );
  const palette *own = palettes + (p >= 0 && p < PALETTES ? p : 0);
  double at = (value > 0 ? value < 1 ? value : 1 : 0) * (own->count - 1);
  int first = (int)at < own->count - 2 ? (int)at : own->count - 2;
  unsigned char a[3], b[3];
  split_color(own->stop[first], a);
  split_color(own->stop[first + 1], b);
  for (int k = 0; k < 3; k++) color[k] = (unsigned char)(a[k] + (at - first) * (b[k] - a[k]) + 0.5);
}

void scree_palette_group(int64_t n, unsigned char color[3]) {
  SC_DEMAND(color, NULL, );
  split_color(groups[(uint64_t)n % GROUPS], color);
}
