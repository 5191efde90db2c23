#pragma once
// What is read from is const.
#define ZLIB_CONST
#include <zlib.h>
