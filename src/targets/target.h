/* target.h: something that can run a program.  The rest of ikat meets targets only through this
 * struct; a new one is a folder, a line in list.h and a line in the docs. */
#pragma once
#include "facts/facts.h"
#include "plan/fit.h"
#include "plan/plan.h"
#include "runtime/engine.h"

/* What propose() gives. */
typedef enum ik_breadth {
  IK_BREADTH_SHORT,  /* what is worth a measurement */
  IK_BREADTH_RANKED, /* of that, only what the model tells apart: its first is what is run */
  IK_BREADTH_NEAR,   /* neighbours of a plan: what differs from it in one thing */
  IK_BREADTH_ALL,    /* what is sure to lose, too */
} ik_breadth;

/* What is to be run, and what the caller wants of it. */
typedef struct ik_problem {
  const ik_ir    *ir;
  const ik_facts *facts;
  const char     *strategy;  /* NULL: the best */
  int             threads;   /* 0: as many as useful */
  const char     *cache_dir; /* where compiled code may be kept; NULL: nowhere */
  const ik_plan  *plan;      /* a choice made before; NULL: none */
  const char     *override; /* words of a plan (plan.h) that go before what is chosen; NULL: none */
  const ik_machine *machine; /* what is known of this one, measured if possible; NULL: its kind */
  ik_breadth        breadth;
  const ik_plan    *around; /* IK_BREADTH_NEAR: of this one */
  int64_t           memory; /* bytes that the run may take; 0: any number */
} ik_problem;

typedef struct ik_proposal {
  ik_plan plan;
  double  seconds; /* of a step (of a round; of the statements, where nothing is repeated); 0: not
                      known */
  const ik_pipeline_time *time;   /* what they are made of; NULL: not known */
  bool                    ranked; /* by the model alone; else a variant, for measurements */
  const ik_pipeline_work *work;   /* and counted from; NULL: not known, or IK_BREADTH_RANKED */
} ik_proposal;

typedef struct ik_target ik_target;
struct ik_target {
  const char        *name;
  const char        *help; /* one line */
  bool               simulated;
  bool               reference;  /* what the others are held against; there is one */
  const char *const *strategies; /* names, NULL at the end; the first is the default */
  /* Are hardware and toolchain here?  `why` gets a line when not. */
  bool (*probe)(ik_buf *why);
  /* An engine for this problem; IK_ERR_UNSUPPORTED with the reason if it cannot. */
  ik_status (*open)(const ik_problem *p, ik_diag *d, ik_engine **out);
  /* Both or neither (NULL), where there is nothing to choose: plans worth a measurement, the most
   * promising first, of the problem's strategy if it names one; returns how many ... */
  int (*propose)(const ik_problem *p, ik_arena *a, ik_diag *d, ik_proposal *out, int most);
  /* ... and what they depend on besides the program: a hash of the machine, the threads. */
  ik_status (*place)(const ik_problem *p, ik_diag *d, uint64_t *machine, int *threads);
  /* Where its arithmetic is not the language's: the interpreter under its rule, which it is held
   * against bit by bit, as a target that is not in the list.  It is found as NAME/rule.  NULL: the
   * reference. */
  const ik_target *rule;
};

/* In order of preference, NULL at the end. */
extern const ik_target *const ik_targets[];

/* The one that defines what a program means. */
const ik_target *ik_target_reference(void);
/* What a target's results are compared with: its rule, or the reference. */
const ik_target *ik_target_measure(const ik_target *t);

/* E082 unless the target has that strategy; NULL is its default. */
ik_status ik_target_strategy(const ik_target *t, const char *name, ik_diag *d, const char **out);

/* The target of that name, or the first that is here (NULL); E082 if there is none.  "wse2/rule" is
 * the rule of the target wse2. */
ik_status ik_target_find(const char *name, ik_diag *d, const ik_target **out);
