"""Writes a C program that calls every function of the public headers with one bad argument at a time, each in a process of
its own: a null pointer, an index that does not exist. Arguments: the folder of the headers. The program prints the calls
that end by a signal, and those of functions with a status that return SCREE_OK where the pointer is needed, and fails."""
import glob
import os
import re
import sys

# what is not called: it ends the process or needs other processes
LEFT_OUT = {"scree_dist_abort", "scree_dist_start", "scree_dist_stop", "scree_dist_send_all", "scree_dist_tell"}
# scenes need a file and the shared library: tests/cli/embed.c calls their functions
HEADERS_LEFT_OUT = {"scene.h"}
# expressions of valid arguments, by type without const
VALID = {
    "scree_world *": "world", "scree_frame *": "frame", "scree_geometry *": "geometry", "scree_checkpoint *": "checkpoint",
    "scree_profile *": "profile", "scree_flow *": "flow", "scree_sizes *": "sizes", "scree_drawer *": "drawer",
    "scree_frame_buffer *": "buffer", "scree_world_def *": "&world_def", "scree_body_def *": "&body_def",
    "scree_image *": "&image", "scree_solver_def *": "&world_def.solver", "scree_draw_def *": "&draw_def",
    "scree_measure_kind *": "scree_measure_kind_at(0)", "scree_reader *": "reader", "scree_writer *": "writer",
    "scree_packer *": "packer", "scree_trajectory_def *": "&trajectory_def", "scree_grid *": "&grid",
    "scree_param *": "scree_world_params", "scree_pair_def *": "&pair", "scree_fill_def *": "&fill",
    "scree_drive *": "&drive", "scree_joint_def *": "&joint_def", "scree_region *": "&region", "scree_glue *": "&glue",
    "scree_mesh_def *": "&mesh", "scree_file_def *": "&file", "scree_impact_def *": "&impact",
    "scree_impact_pair *": "&impact_pair", "scree_export_def *": "&export_def", "scree_shape_info *": "&shape_info",
    "scree_material_def *": "&material", "scree_law_callbacks *": "&callbacks", "scree_spheres_def *": "&spheres",
}
TEXT = {"path": '"/nowhere/file"', "name": '"default"', "law": '"coulomb"', "directory": '"/nowhere"', "text": '"text"'}
# integers that choose one of several: they are called with values that do not exist
INDEX = {"index", "row", "place", "material1", "material2", "type", "which", "number", "frame", "field", "palette",
         "style", "format", "cause", "status", "stage", "view", "body", "joint", "kind", "n"}


def functions(folder):
    """(return type, name, [(type, name)]) of each prototype; the type of a function pointer is "function"."""
    for path in sorted(glob.glob(os.path.join(folder, "*.h"))):
        if os.path.basename(path) in HEADERS_LEFT_OUT:
            continue
        text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
        text = re.sub(r"^\s*#.*(\\\n.*)*$", "", text, flags=re.M).replace('extern "C" {', "")
        before = None
        while before != text:
            before, text = text, re.sub(r"\{[^{}]*\}", "", text)
        for m in re.finditer(r"(?:^|[;}])\s*([A-Za-z_][\w\s*]*?\*?)\b(scree_\w+)\s*\(([^;]*?)\)\s*;", text, flags=re.M):
            result, name = " ".join(m[1].split()), m[2]
            if "typedef" in result or name in LEFT_OUT:
                continue
            yield result, name, [argument(a) for a in split(" ".join(m[3].split()))]


def split(arguments):
    """Commas within parentheses separate nothing."""
    parts, depth = [""], 0
    for c in arguments:
        depth += (c == "(") - (c == ")")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip() not in ("", "void")]


def argument(text):
    pointer = re.search(r"\(\s*(\*+)\s*(\w+)\s*\)(.)", text)
    if pointer:
        return ("function" if pointer[3] == "(" else "array *"), pointer[2]
    array = re.match(r"(.*?)(\w+)\s*(\[.*)$", text)
    if array:
        return array[1].replace("const ", "").strip() + " *", array[2]
    plain = re.match(r"(.*?)(\w+)$", text)
    return plain[1].replace("const ", "").strip(), plain[2]


def valid(kind, name, place):
    if kind == "function":
        return "NULL"
    if kind == "scree_error *":
        return "&error"
    if kind == "char *":
        return TEXT.get(name, '"text"')
    if kind in VALID:
        return VALID[kind]
    if kind.endswith("*"):
        return f"(void *)room[{place}]"
    return {"scree_id": "body", "scree_joint": "joint", "size_t": "8", "int": "1", "int64_t": "1"}.get(kind, "1")


def calls(folder):
    for result, name, arguments in functions(folder):
        good = [valid(*a, k) for k, a in enumerate(arguments)]
        for k, (kind, own) in enumerate(arguments):
            bad = ["NULL"] if kind.endswith("*") or kind == "function" else []
            if own in INDEX and not bad:
                bad = ["(scree_id)77 << 40", "0"] if kind in ("scree_id", "scree_joint") else ["-1", "1000000"]
            for value in bad:
                yield name, own, value, good[:k] + [value] + good[k + 1:], result


START = r"""
#include <scree/scree.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static double room[16][1 << 13];
int main(void) {
  scree_error error = {0};
  int bad = 0, calls = 0;
  scree_world_def world_def = scree_world_defaults();
  scree_world *world = scree_world_create(&world_def, &error);
  scree_shape_def ball = scree_shape_defaults();
  ball.radius = 0.1;
  scree_body_def body_def = scree_body_defaults();
  body_def.shapes = &ball, body_def.shapes_count = 1;
  scree_id body = scree_world_add(world, &body_def, &error);
  body_def.position[2] = 0.19;
  scree_id other = scree_world_add(world, &body_def, &error);
  scree_joint_def joint_def = scree_joint_defaults(0);
  joint_def.a = body, joint_def.b = other;
  scree_joint joint = scree_world_add_joint(world, &joint_def, &error);
  body_def.position[0] = 0.19;
  scree_world_add(world, &body_def, &error);
  scree_world_step(world, 2, &error);
  const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int32_t faces[1][3] = {{0, 1, 2}};
  scree_geometry *geometry = scree_geometry_hull(corner, 4, &error);
  scree_mesh_def mesh = {.points = corner, .points_count = 4, .triangles = faces, .triangles_count = 1};
  scree_file_def file = {.path = "/nowhere/file", .scale = 1};
  scree_frame_buffer *buffer = scree_frame_buffer_create();
  const scree_frame *frame = scree_frame_capture(buffer, world, 0, &error);
  scree_region region = {.type = SCREE_REGION_BOX, .min = {-1, -1, -1}, .max = {1, 1, 1}};
  scree_grid grid = {.min = {-1, -1, -1}, .max = {1, 1, 1}, .n = {2, 2, 2}};
  scree_profile *profile = scree_profile_create(&grid, &error);
  scree_flow *flow = scree_flow_create(&region, 0, &error);
  const double passing[2][2] = {{1, 0}, {2, 1}};
  scree_sizes_def sizes_def = {.distribution = SCREE_SIZES_PASSING, .passing = passing, .passing_count = 2};
  scree_sizes *sizes = scree_sizes_create(&sizes_def, &error);
  scree_checkpoint *checkpoint = scree_checkpoint_create();
  scree_drawer *drawer = scree_drawer_create(1);
  scree_draw_def draw_def = scree_draw_defaults();
  scree_image image = {0};
  scree_image_create(4, 4, &image, &error);
  scree_trajectory_def trajectory_def = scree_trajectory_defaults();
  char place[] = "frames.scree";
  scree_writer *writer = scree_writer_open(place, &trajectory_def, &error);
  scree_writer_frame(writer, frame, &error);
  scree_writer_close(writer, &error);
  scree_reader *reader = scree_reader_open(place, &error);
  writer = scree_writer_open("more.scree", &trajectory_def, &error);
  scree_packer *packer = scree_packer_create(&trajectory_def, &error);
  scree_pair_def pair = {.law = "coulomb", .params = {0.5}};
  scree_fill_def fill = scree_fill_defaults();
  scree_drive drive = {0};
  scree_glue glue = scree_glue_defaults();
  scree_impact_def impact = scree_impact_defaults();
  scree_impact_pair impact_pair = scree_impact_pair_defaults();
  scree_export_def export_def = scree_export_defaults();
  scree_shape_info shape_info = {.type = SCREE_SPHERE, .radius = 1, .orientation = {1, 0, 0, 0}};
  scree_material_def material = {.name = "stone", .density = 1};
  scree_law_callbacks callbacks = {.name = "own", .base = "coulomb"};
  scree_spheres_def spheres = scree_spheres_defaults();
  if (!world || !body || !other || !joint || !geometry || !frame || !profile || !flow || !drawer || !reader || !writer ||
      !packer)
    return fprintf(stderr, "cannot begin: %s\n", error.text), 2;
  (void)sizes, (void)fill, (void)drive, (void)region;
"""

END = r"""
  printf("%d calls, %d that end badly\n", calls, bad);
  fflush(stdout);
  _exit(bad || calls < 400);
}
"""


def main():
    print(START)
    for name, own, value, arguments, result in calls(sys.argv[1]):
        call = f"{name}({', '.join(arguments)})"
        shown = call.replace('"', "'")
        print("  calls++;\n  fflush(stdout);\n  {\n    pid_t child = fork();\n    int state = 0;\n    if (!child) {"
              f'\n      alarm(20);\n      freopen("/dev/null", "w", stderr);\n      (void){call};\n      _exit(0);\n    }}'
              "\n    waitpid(child, &state, 0);"
              f'\n    if (WIFSIGNALED(state)) bad++, printf("signal %d: %s %s={value}: {shown}\\n", WTERMSIG(state), "{name}", "{own}");\n  }}')
    print(END)


if __name__ == "__main__":
    main()
