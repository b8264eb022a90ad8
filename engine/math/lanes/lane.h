/* Number of lanes: items that are computed together with SIMD. */
#ifndef SC_LANE_H
#define SC_LANE_H

enum { SC_LANES = 8 };
typedef double sc_lane[SC_LANES];

#endif
