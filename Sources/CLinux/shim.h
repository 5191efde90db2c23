// Linux calls that Swift's Glibc module does not show.
#pragma once
#include <link.h>
#include <linux/fs.h>
#include <linux/landlock.h>
#include <linux/memfd.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

/// accept4(2), non-blocking and close-on-exec; the C library declares it for _GNU_SOURCE only.
static inline int pics_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return (int)syscall(SYS_accept4, listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/// Names the calling thread for tools: the first 15 bytes (PR_SET_NAME); prctl(2) is variadic, which Swift cannot call.
static inline void pics_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

/// sync_file_range(2): begins to write a range of a file to the disk, and does not wait for its end; as above.
static inline int pics_begin_writing(int file, int64_t offset, int64_t count) {
    return (int)syscall(SYS_sync_file_range, file, offset, count, SYNC_FILE_RANGE_WRITE);
}

/// Reads what can be read without waiting for a disk (preadv2(2), RWF_NOWAIT); negative where nothing can, or the file system does not tell.
static inline int64_t pics_read_cached(int file, void *bytes, int64_t count, int64_t offset) {
    struct iovec part = {bytes, (size_t)count};
    return syscall(SYS_preadv2, file, &part, 1, offset, 0, RWF_NOWAIT);
}

/// Whether the byte at `offset` can be read without waiting for a disk, or the file ends before it.
static inline bool pics_is_cached(int file, int64_t offset) {
    char byte;
    return pics_read_cached(file, &byte, 1, offset) >= 0;
}

/// memfd_create(2), close-on-exec: a file in memory, without a path; as above.
static inline int pics_memfd(const char *name) { return (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC); }

/// A new set of Landlock rules that handles the rights of `access` (landlock(7)); as above.
static inline int pics_landlock_begin(__u64 access) {
    struct landlock_ruleset_attr attributes = {.handled_access_fs = access};
    return (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
}

/// Lets the rights of `access` be used on a file, or below a folder; as above.
static inline int pics_landlock_allow(int rules, int place, __u64 access) {
    struct landlock_path_beneath_attr attributes = {.allowed_access = access, .parent_fd = place};
    return (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &attributes, 0);
}

/// Takes all other rights of the set from this thread and what it starts; as above.
static inline int pics_landlock_enter(int rules) { return (int)syscall(SYS_landlock_restrict_self, rules, 0); }

/// Gives back the memory of the program's code and constants (madvise(2), MADV_DONTNEED): what is used again comes from the page cache.
static inline void pics_release_program(void) {
    const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    const unsigned long count = getauxval(AT_PHNUM);
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
    uintptr_t base = 0;
    for (unsigned long i = 0; i < count; i++) {
        if (headers[i].p_type == PT_PHDR) base = (uintptr_t)headers - headers[i].p_vaddr;
    }
    for (unsigned long i = 0; i < count; i++) {
        // What may be written, or was when the program was linked, exists nowhere else.
        if (headers[i].p_type != PT_LOAD || headers[i].p_flags & PF_W) continue;
        const uintptr_t start = (base + headers[i].p_vaddr + page) & ~page;
        const uintptr_t end = (base + headers[i].p_vaddr + headers[i].p_memsz) & ~page;
        if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
    }
}
