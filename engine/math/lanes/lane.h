/* Numbers of things that are worked on side by side. */
#ifndef SC_LANE_H
#define SC_LANE_H

enum { SC_LANES = 8 };
typedef double sc_lane[SC_LANES];

#endif
