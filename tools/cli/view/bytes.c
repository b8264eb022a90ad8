#include "view/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *view_bytes_take(view_bytes *bytes, size_t count) {
  if (bytes->failed) return NULL;
  if (count > bytes->room - bytes->count) {
    size_t room = bytes->count + count + bytes->room / 2 + 256;
    unsigned char *at = room > count ? realloc(bytes->at, room) : NULL;
    if (!at) return bytes->failed = 1, NULL;
    bytes->at = at, bytes->room = room;
  }
  unsigned char *out = bytes->at + bytes->count;
  memset(out, 0, count);
  bytes->count += count;
  return out;
}

void view_bytes_add(view_bytes *bytes, const void *from, size_t count) {
  void *out = view_bytes_take(bytes, count);
  if (out && count) memcpy(out, from, count);
}

void view_bytes_text(view_bytes *bytes, const char *text) { view_bytes_add(bytes, text, strlen(text)); }

void view_bytes_print(view_bytes *bytes, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  view_bytes_text(bytes, text);
}

void view_bytes_json(view_bytes *bytes, const char *text) {
  view_bytes_text(bytes, "\"");
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c < 32 || *c == '"' || *c == '\\' || *c == '<') view_bytes_print(bytes, "\\u%04x", *c);
    else view_bytes_add(bytes, c, 1);
  }
  view_bytes_text(bytes, "\"");
}

void view_bytes_base64(view_bytes *bytes, const unsigned char *from, size_t count) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *out = view_bytes_take(bytes, (count + 2) / 3 * 4);
  for (size_t i = 0; out && i < count; i += 3, out += 4) {
    unsigned b = i + 1 < count ? from[i + 1] : 0, c = i + 2 < count ? from[i + 2] : 0;
    unsigned word = (unsigned)from[i] << 16 | b << 8 | c;
    out[0] = digit[word >> 18], out[1] = digit[word >> 12 & 63];
    out[2] = i + 1 < count ? digit[word >> 6 & 63] : '=';
    out[3] = i + 2 < count ? digit[word & 63] : '=';
  }
}

void view_bytes_free(view_bytes *bytes) {
  free(bytes->at);
  *bytes = (view_bytes){0};
}
