#ifndef SCREE_VERSION_H
#define SCREE_VERSION_H
#define SCREE_VERSION "0.1.0"
#endif
