/* hexagons.h: a program as hexagonal tiles on a GPU would run it: the question that model/hex.h
 * answers, from facts. */
#pragma once
#include "facts/facts.h"
#include "machine/machine.h"
#include "model/hex.h"

/* Cells that a step reads to any side, of all fields that change. */
int ik_hexagons_reach(const ik_facts *f);
/* Why they cannot, one sentence; NULL if they can. */
const char *ik_hexagons_refuse(const ik_facts *f);

/* False: the machine has no C_iter to begin with.  C_iter is measured for a few loop bodies;
 * another one is taken to cost in proportion to its operations, 9 of Jacobi's in two dimensions and
 * 13 of the heat equation's in three.  Words of a point are half of what a step moves, as a word
 * that changes is read and written. */
bool ik_hexagons_problem(const ik_ir *ir, const ik_facts *f, double steps, const ik_machine *m,
                         ik_hex_problem *out);
