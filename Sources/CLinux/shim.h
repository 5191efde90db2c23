// Linux calls that Swift's Glibc module does not show.
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

/// accept4(2), non-blocking and close-on-exec; the C library declares it for _GNU_SOURCE only.
static inline int pics_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return (int)syscall(SYS_accept4, listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
