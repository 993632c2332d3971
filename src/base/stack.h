/* stack.h: room for recursion.  How deep a program may be nested is part of the language (E005);
 * how much of a stack the thread has that calls the library is its own affair.
 */
#pragma once

/* f(ctx): here if there is room, else on a thread with more of it, which is waited for.  Only what
 * begins there may jump or be undone there.  If no such thread can be had, here as well. */
void ik_stack_call(void (*f)(void *ctx), void *ctx);
