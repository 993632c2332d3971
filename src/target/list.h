/* list.h: the one place where targets are registered, best first.
 * No include guard: IK_TARGET is defined by whoever includes it. */
IK_TARGET(cpu)
IK_TARGET(ref)
