// Fails one call of the C library on files below FAIL_UNDER: the FAIL_AT-th call of the kind FAIL_CALL.
// Without FAIL_AT it counts, and the last count is in the file FAIL_COUNT. Only our own files are touched.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int calls;

static int ours(const char *path) {
  const char *under = getenv("FAIL_UNDER");
  return under && path && strncmp(path, under, strlen(under)) == 0;
}

static int ours_fd(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return ours(path);
}

static int fails(const char *call, int is_ours) {
  const char *wanted = getenv("FAIL_CALL"), *at = getenv("FAIL_AT"), *count = getenv("FAIL_COUNT");
  if (!wanted || strcmp(call, wanted) != 0 || !is_ours) return 0;
  int number = atomic_fetch_add(&calls, 1) + 1;
  if (count && !at) {
    FILE *file = fopen(count, "w");
    if (file) fprintf(file, "%d", number), fclose(file);
  }
  if (!at || atoi(at) != number) return 0;
  errno = strcmp(call, "open") == 0 ? EACCES : strcmp(call, "write") == 0 ? ENOSPC : EIO;
  return 1;
}

#define NEXT(type, name) static type (*next)(); if (!next) next = (type (*)())dlsym(RTLD_NEXT, name)

#define OPEN(symbol) \
  int symbol(const char *path, int flags, ...) { \
    va_list list; va_start(list, flags); mode_t mode = va_arg(list, int); va_end(list); \
    NEXT(int, #symbol); \
    return fails("open", ours(path) && (flags & O_ACCMODE) != O_RDONLY) ? -1 : next(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

ssize_t write(int fd, const void *data, size_t size) {
  NEXT(ssize_t, "write");
  return fails("write", ours_fd(fd)) ? -1 : next(fd, data, size);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  NEXT(ssize_t, "pwrite64");
  return fails("write", ours_fd(fd)) ? -1 : next(fd, data, size, at);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  NEXT(ssize_t, "pwrite");
  return fails("write", ours_fd(fd)) ? -1 : next(fd, data, size, at);
}
int fsync(int fd) {
  NEXT(int, "fsync");
  return fails("fsync", ours_fd(fd)) ? -1 : next(fd);
}
int fdatasync(int fd) {
  NEXT(int, "fdatasync");
  return fails("fsync", ours_fd(fd)) ? -1 : next(fd);
}
int rename(const char *from, const char *to) {
  NEXT(int, "rename");
  return fails("rename", ours(from)) ? -1 : next(from, to);
}
