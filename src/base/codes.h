/* codes.h: every diagnostic, one line each; docs/codes/ENNN.md holds the long text and
 * tests/must-fail/ENNN*.ik a program that triggers it.  Numbers are never reused.
 * No include guard: IK_CODE(code, title) is defined by whoever includes it. */

/* text */
IK_CODE(E001, "a character or word that the language does not have")
IK_CODE(E002, "something else was expected here")
IK_CODE(E003, "a bracket, brace or string that is never closed")
IK_CODE(E004, "a number that cannot be read or is out of range")
IK_CODE(E005, "the program is nested too deeply or too large")
IK_CODE(E006, "a language version that this program does not know")
/* names */
IK_CODE(E010, "an unknown name")
IK_CODE(E011, "a name declared twice")
IK_CODE(E012, "a name that cannot be used this way")
IK_CODE(E013, "an unknown function, option, boundary, wavelet or unit")
IK_CODE(E014, "a wrong number of arguments, or an argument of the wrong kind")
IK_CODE(E015, "a function that calls itself")
/* grid, fields, parameters */
IK_CODE(E020, "no grid, or more than one")
IK_CODE(E021, "more than three dimensions")
IK_CODE(E022, "an extent that is not a whole number of at least one")
IK_CODE(E023, "a value that must be constant is not")
IK_CODE(E024, "a value that must be a whole number, or lies outside its range")
IK_CODE(E025, "units that do not fit together")
IK_CODE(E026, "an unknown type")
IK_CODE(E027, "more cells than can be addressed")
/* expressions */
IK_CODE(E030, "offsets that do not match the axes")
IK_CODE(E031, "a time level that is not kept")
IK_CODE(E032, "a type that does not fit")
IK_CODE(E033, "the new value of a field read where it does not exist")
IK_CODE(E034, "a value for each cell used where one number is needed")
IK_CODE(E035, "a reduction where none can stand")
IK_CODE(E036, "a constant expression without a value")
/* boundaries and regions */
IK_CODE(E040, "a read beyond a face without a boundary")
IK_CODE(E041, "a boundary that contradicts another")
IK_CODE(E042, "a boundary that this update cannot have")
IK_CODE(E043, "a region outside the grid, or empty")
IK_CODE(E044, "a temporary read where it has no value")
/* statements */
IK_CODE(E050, "a statement where it cannot stand")
IK_CODE(E051, "a field updated in two ways in one step")
IK_CODE(E052, "a neighbour of the field being written, outside a sweep along that axis")
IK_CODE(E053, "nothing to do: the program has no statement that runs")
IK_CODE(E054, "an axis swept twice or not in the grid")
/* sources, receivers, files */
IK_CODE(E060, "a position outside the grid or of the wrong dimension")
IK_CODE(E061, "a wavelet without a time step")
IK_CODE(E062, "a file that cannot be read")
IK_CODE(E063, "a file whose content does not fit")
IK_CODE(E064, "a file that cannot be written")
IK_CODE(E065, "a file format that is not known, or whose library is missing")
IK_CODE(E066, "more than a file format can hold")
/* runs */
IK_CODE(E070, "a value that is not finite, or a field that blows up")
IK_CODE(E071, "a time step beyond the stability limit")
IK_CODE(E072, "not enough memory")
IK_CODE(E073, "interrupted")
IK_CODE(E074, "a result that differs from the reference")
/* command line */
IK_CODE(E080, "an unknown parameter or axis on the command line")
IK_CODE(E081, "a value on the command line that cannot be used")
IK_CODE(E082, "an unknown target, machine, kind or strategy")
IK_CODE(E083, "a compiler that is missing or refuses generated code")
/* warnings */
IK_CODE(W001, "a name that is never used")
IK_CODE(W002, "a repeat that did not reach its condition")
IK_CODE(W003, "a time step just below the stability limit")
IK_CODE(W004, "too few points per wavelength")
IK_CODE(W005, "no compiled code, so the interpreter runs")
IK_CODE(W006, "what was measured is not used, or could not be kept")
IK_CODE(W007, "a field that stays zero")
