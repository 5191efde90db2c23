// Debug builds alone: a call of the C library that may wait for a disk, another process or a clock ends the process when it is
// made on the thread of an event loop.
//
// The functions below take the place of the C library's in the whole program, since the dynamic linker finds a program's own
// symbols first. They check, then call the next definition (dlsym(3), RTLD_NEXT). What the C library calls within itself is
// not seen. Sanitizers put themselves in the same place, so under them nothing is checked.

#define _GNU_SOURCE
#include "CLoopGuard.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PICS_HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PICS_HAS_SANITIZER 1
#endif
#endif

#if !defined(PICS_GUARDS_LOOPS) || defined(PICS_HAS_SANITIZER)

void pics_loop_guard_serve(bool serves) { (void)serves; }
void pics_loop_guard_permit(int change) { (void)change; }
bool pics_loop_guard_is_there(void) { return false; }

#else

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static __thread bool serves_loop;
static __thread int permits;

void pics_loop_guard_serve(bool serves) { serves_loop = serves; }
void pics_loop_guard_permit(int change) { permits += change; }
bool pics_loop_guard_is_there(void) { return true; }

static bool is_guarded(void) { return serves_loop && permits == 0; }

static void blocked(const char *call, const char *detail) {
    if (!is_guarded()) return;
    permits += 1;
    dprintf(STDERR_FILENO, "%s(%s) may block the event loop of this thread; it belongs on BlockingThreads\n", call, detail);
    void *frames[64];
    backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
    abort();
}

/// The kernel makes up /proc and some devices. Foundation reads the system's time zones and ICU's data once, then keeps them.
static bool is_exempt(const char *path) {
    static const char *const exempt[] = {
        "/proc/", "/dev/null", "/dev/urandom", "/etc/localtime", "/usr/share/zoneinfo", "/usr/share/icu/",
    };
    for (size_t place = 0; place < sizeof exempt / sizeof *exempt; place++) {
        if (strncmp(path, exempt[place], strlen(exempt[place])) == 0) return true;
    }
    return false;
}

static void blocked_path(const char *call, const char *path) {
    if (is_guarded() && (path == NULL || !is_exempt(path))) blocked(call, path == NULL ? "" : path);
}

/// Sockets, pipes and the loop's own descriptors do not block. The standard streams are where lines of the log go.
static void blocked_file(const char *call, int file) {
    if (!is_guarded() || file == STDOUT_FILENO || file == STDERR_FILENO) return;
    int last = errno;
    struct stat facts;
    if (fstat(file, &facts) == 0 && (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode) || S_ISBLK(facts.st_mode))) {
        char path[32], name[256] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        permits += 1;
        ssize_t length = readlink(path, name, sizeof name - 1);
        permits -= 1;
        if (length > 0) name[length] = 0;
        blocked_path(call, name);
    }
    errno = last;
}

/// Defines a function that checks and calls the next one of its name.
#define GUARD(result, name, parameters, arguments, check)                      \
    result name parameters {                                                   \
        static result (*next) parameters;                                      \
        if (next == NULL) next = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
        check;                                                                 \
        return next arguments;                                                 \
    }

/// The same for functions that open, whose mode is there only for a new file.
#define GUARD_OPENING(name, parameters, arguments)                             \
    int name parameters {                                                      \
        static int (*next) parameters;                                         \
        if (next == NULL) next = (int (*) parameters)dlsym(RTLD_NEXT, #name);   \
        mode_t mode = 0;                                                       \
        if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {      \
            va_list rest;                                                      \
            va_start(rest, flags);                                             \
            mode = va_arg(rest, mode_t);                                       \
            va_end(rest);                                                      \
        }                                                                      \
        blocked_path(#name, path);                                             \
        return next arguments;                                                 \
    }

#define PATH(name, parameters, arguments) GUARD(int, name, parameters, arguments, blocked_path(#name, path))
#define ALWAYS(name, parameters, arguments) GUARD(int, name, parameters, arguments, blocked(#name, ""))
#define FILE_BYTES(result, name, parameters, arguments) GUARD(result, name, parameters, arguments, blocked_file(#name, file))

// Opening.
GUARD_OPENING(open, (const char *path, int flags, ...), (path, flags, mode))
GUARD_OPENING(open64, (const char *path, int flags, ...), (path, flags, mode))
GUARD_OPENING(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
GUARD_OPENING(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
GUARD(FILE *, fopen, (const char *path, const char *mode), (path, mode), blocked_path("fopen", path))
GUARD(FILE *, fopen64, (const char *path, const char *mode), (path, mode), blocked_path("fopen64", path))
GUARD(DIR *, opendir, (const char *path), (path), blocked_path("opendir", path))

// Reading and writing.
FILE_BYTES(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count))
FILE_BYTES(ssize_t, pread, (int file, void *bytes, size_t count, off_t at), (file, bytes, count, at))
FILE_BYTES(ssize_t, pread64, (int file, void *bytes, size_t count, off64_t at), (file, bytes, count, at))
FILE_BYTES(ssize_t, readv, (int file, const struct iovec *parts, int count), (file, parts, count))
FILE_BYTES(ssize_t, preadv, (int file, const struct iovec *parts, int count, off_t at), (file, parts, count, at))
FILE_BYTES(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count))
FILE_BYTES(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
FILE_BYTES(ssize_t, pwrite64, (int file, const void *bytes, size_t count, off64_t at), (file, bytes, count, at))
FILE_BYTES(ssize_t, writev, (int file, const struct iovec *parts, int count), (file, parts, count))
FILE_BYTES(ssize_t, sendfile, (int to, int file, off_t *at, size_t count), (to, file, at, count))
FILE_BYTES(ssize_t, sendfile64, (int to, int file, off64_t *at, size_t count), (to, file, at, count))
FILE_BYTES(int, ftruncate, (int file, off_t bytes), (file, bytes))
FILE_BYTES(int, ftruncate64, (int file, off64_t bytes), (file, bytes))

// Making durable.
ALWAYS(fsync, (int file), (file))
ALWAYS(fdatasync, (int file), (file))
ALWAYS(syncfs, (int file), (file))
ALWAYS(fallocate, (int file, int mode, off_t at, off_t count), (file, mode, at, count))
ALWAYS(posix_fallocate, (int file, off_t at, off_t count), (file, at, count))

// Names.
PATH(unlink, (const char *path), (path))
PATH(unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
PATH(remove, (const char *path), (path))
PATH(rmdir, (const char *path), (path))
PATH(rename, (const char *path, const char *to), (path, to))
PATH(renameat, (int folder, const char *path, int into, const char *to), (folder, path, into, to))
PATH(renameat2, (int folder, const char *path, int into, const char *to, unsigned flags), (folder, path, into, to, flags))
PATH(link, (const char *path, const char *to), (path, to))
PATH(linkat, (int folder, const char *path, int into, const char *to, int flags), (folder, path, into, to, flags))
PATH(symlink, (const char *target, const char *path), (target, path))
PATH(mkdir, (const char *path, mode_t mode), (path, mode))
PATH(mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode))
PATH(chmod, (const char *path, mode_t mode), (path, mode))
PATH(utimensat, (int folder, const char *path, const struct timespec times[2], int flags), (folder, path, times, flags))
PATH(stat, (const char *path, struct stat *facts), (path, facts))
PATH(stat64, (const char *path, struct stat64 *facts), (path, facts))
PATH(lstat, (const char *path, struct stat *facts), (path, facts))
PATH(lstat64, (const char *path, struct stat64 *facts), (path, facts))
PATH(fstatat, (int folder, const char *path, struct stat *facts, int flags), (folder, path, facts, flags))
PATH(fstatat64, (int folder, const char *path, struct stat64 *facts, int flags), (folder, path, facts, flags))
PATH(access, (const char *path, int mode), (path, mode))
PATH(statvfs, (const char *path, struct statvfs *facts), (path, facts))
GUARD(ssize_t, readlink, (const char *path, char *to, size_t count), (path, to, count), blocked_path("readlink", path))
GUARD(char *, realpath, (const char *path, char *to), (path, to), blocked_path("realpath", path))

// Locks, processes, names of hosts, and time.
GUARD(int, flock, (int file, int how), (file, how), if ((how & LOCK_NB) == 0) blocked("flock", ""))
GUARD(pid_t, waitpid, (pid_t id, int *status, int how), (id, status, how), if ((how & WNOHANG) == 0) blocked("waitpid", ""))
ALWAYS(
    getaddrinfo, (const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found),
    (host, port, hints, found))
ALWAYS(usleep, (useconds_t time), (time))
ALWAYS(nanosleep, (const struct timespec *time, struct timespec *rest), (time, rest))
// Foundation's locks give up the processor by sleeping for 0 s, which returns at once.
GUARD(unsigned, sleep, (unsigned time), (time), if (time > 0) blocked("sleep", ""))

#endif
