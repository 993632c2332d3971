/* text.h: small helpers for names and numbers in text. */
#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Steps (insert, delete, replace, swap neighbours) from `a` to `b`.  Texts of more than 63
 * characters are equal or differ in every one. */
int ik_edit_distance(const char *a, const char *b);

/* The nearest of `n` names to `word`, or NULL if none is near enough to be meant. */
const char *ik_nearest(const char *word, const char *const *names, int n);

/* strtod(), snprintf() and vsnprintf() with a decimal point, whatever the locale of the program
 * around us says. */
double ik_strtod(const char *s, char **end);
int    ik_format(char *s, size_t n, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int    ik_vformat(char *s, size_t n, const char *fmt, va_list ap);
