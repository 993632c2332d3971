/* text.h: small helpers for names and numbers in text. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Steps (insert, delete, replace, swap neighbours) from `a` to `b`.  Texts of more than 63
 * characters are equal or differ in every one. */
int ik_edit_distance(const char *a, const char *b);

/* The nearest of `n` names to `word`, or NULL if none is near enough to be meant. */
const char *ik_nearest(const char *word, const char *const *names, int n);

/* strtod() with a decimal point, whatever the locale of the program around us says. */
double ik_strtod(const char *s, char **end);
