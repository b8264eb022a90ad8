/* Everything. */
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H
#include "scree/cohesion.h"
#include "scree/forces.h"
#include "scree/geometry.h"
#include "scree/impact.h"
#include "scree/checkpoint.h"
#include "scree/joint.h"
#include "scree/law.h"
#include "scree/measure.h"
#include "scree/memory.h"
#include "scree/param.h"
#include "scree/problem.h"
#include "scree/plot.h"
#include "scree/shape.h"
#include "scree/sizes.h"
#include "scree/status.h"
#include "scree/trajectory.h"
#include "scree/draw.h"
#include "scree/version.h"
#include "scree/world.h"
#endif
