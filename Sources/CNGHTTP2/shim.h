// HTTP/2's frames, streams and header compression.
#pragma once
#include <nghttp2/nghttp2.h>
