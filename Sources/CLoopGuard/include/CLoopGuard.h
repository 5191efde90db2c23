#pragma once
#include <stdbool.h>

/// Says whether the calling thread serves an event loop from now on.
void pics_loop_guard_serve(bool serves);

/// Lets the calling thread make calls that may block (1), or takes that back (-1); both nest.
void pics_loop_guard_permit(int change);

/// Whether calls are checked: in debug builds without a sanitizer.
bool pics_loop_guard_is_there(void);
