#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/// The action that answers a call with `code`: Swift does not see macros with arguments.
static inline uint32_t pics_seccomp_errno(int code) { return SCMP_ACT_ERRNO(code); }
