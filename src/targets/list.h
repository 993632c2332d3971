/* list.h: the one place where targets are registered, best first.
 * No include guard: IK_TARGET is defined by whoever includes it. */
IK_TARGET(cpu)
IK_TARGET(ref)
IK_TARGET(wse2)
IK_TARGET(wormhole)
IK_TARGET(nero_hbm)
IK_TARGET(nero_ddr4)
