/* The tool as a function: tests/fault/test_tool.c calls it in processes that it forks. */
#define main ikat_main
int ikat_main(int argc, char **argv);
#include "../../tools/ikat/main.c"
