/* The report of a scene: the function report(w, p, out), which returns a list of {name, value, unit}. */
#ifndef SL_FIGURES_H
#define SL_FIGURES_H

#include "bind/scene/scene.h"

enum { SL_FIGURES = 256, SL_FIGURE_TEXT = 512 };

/* A key figure of the scene's report. */
typedef struct sl_figure {
  char name[96], unit[24], text[48];
  double value; /* NAN: the run ended too early */
  int is_text;
} sl_figure;

typedef struct sl_figures {
  sl_figure figure[SL_FIGURES];
  int count;
} sl_figures;

/* Returns the description of a mistake in figure i of the list, NULL if there is none. */
typedef const char *sl_figure_judge(const void *context, const sl_figures *figures, int i);

/* Calls the report of a scene, if it has one, and reads its figures. directory: directory of the run,
 * which becomes out.directory. judge: a check of each figure; NULL: none. If the result is SL_SCRIPT and
 * sl_message is empty, text describes a mistake in the list. */
sl_trouble sl_scene_take_figures(sl_scene *scene, const char *directory, sl_figures *figures,
    sl_figure_judge *judge, const void *context, char text[SL_FIGURE_TEXT]);

#endif
