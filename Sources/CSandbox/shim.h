// libseccomp, and what has no wrapper in the C library: Landlock's system calls, and macros that Swift cannot import.
//
// Without _GNU_SOURCE, which renames members of types that other modules declare as well (fd_set): a compiler that sees both
// refuses them. Numbers that the C library hides without it are the kernel's (include/uapi/asm-generic/fcntl.h,
// include/uapi/linux/fcntl.h).
#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <linux/sched.h>
#include <malloc.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Landlock's structures and numbers (include/uapi/linux/landlock.h, Linux 6.12), here because distributions' headers are
// older than the kernels they run.
struct kinema_landlock_ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scope;
};

struct kinema_landlock_port {
    uint64_t access;
    uint64_t port;
};

struct kinema_landlock_path {
    uint64_t access;
    int32_t file;
} __attribute__((packed));

// The file rights that each version of Landlock knows: 13 in the first, then moving between folders, truncating, device
// control.
static inline uint64_t kinema_landlock_files(int version) {
    int rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    return (1ull << rights) - 1;
}

// The version of Landlock this kernel offers; 0 without.
static inline int kinema_landlock_version(void) {
    // 444: landlock_create_ruleset, 1: LANDLOCK_CREATE_RULESET_VERSION.
    long version = syscall(444, NULL, 0, 1u);
    return version < 0 ? 0 : (int)version;
}

// Takes from this thread, and from those it makes, the right to open any file but to read one (NULL: none) and, where the
// kernel can, to connect by TCP to any port but one (0: to none), to listen, and to signal or reach other processes. Returns
// the version of Landlock; 0 without; a negative number when it failed.
static inline int kinema_landlock(const char *file, uint16_t port) {
    int version = kinema_landlock_version();
    if (version == 0) return 0;
    struct kinema_landlock_ruleset rules = {kinema_landlock_files(version), 0, 0};
    if (version >= 4) rules.network = 3; // Bind and connect by TCP.
    if (version >= 6) rules.scope = 3;   // Abstract sockets and signals.
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(444, &rules, size, 0u);
    if (ruleset < 0) return -errno;
    int code = 0;
    if (port != 0 && version >= 4) {
        struct kinema_landlock_port rule = {2, port}; // Connect.
        // 445: landlock_add_rule, 2: LANDLOCK_RULE_NET_PORT.
        code = (int)syscall(445, ruleset, 2, &rule, 0u);
    }
    int beneath = file ? open(file, 010000000 | O_CLOEXEC) : -1; // O_PATH
    if (beneath >= 0) {
        struct kinema_landlock_path rule = {4, beneath}; // Read.
        // 1: LANDLOCK_RULE_PATH_BENEATH.
        if (code == 0) code = (int)syscall(445, ruleset, 1, &rule, 0u);
        close(beneath);
    }
    if (code == 0) code = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    // 446: landlock_restrict_self.
    if (code == 0) code = (int)syscall(446, ruleset, 0u);
    int failure = errno;
    close(ruleset);
    return code == 0 ? version : -failure;
}

// The flags of a new thread, as against a new process.
static inline uint64_t kinema_thread_flags(void) { return CLONE_VM | CLONE_THREAD; }

static inline void kinema_hide_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

static inline uint32_t kinema_refuse_with(int code) { return SCMP_ACT_ERRNO((uint32_t)code); }
static inline uint32_t kinema_kill_process(void) { return SCMP_ACT_KILL_PROCESS; }
static inline uint32_t kinema_allow(void) { return SCMP_ACT_ALLOW; }

// Copies what waits in one pipe into another and leaves it there; -1 on failure.
static inline int64_t kinema_copy_pipe(int from, int to, size_t count) { return syscall(SYS_tee, from, to, count, 0u); }

// Memory that two processes share and neither can shrink, grow or unseal; -1 on failure.
static inline int kinema_sealed_memory(int64_t size) {
    int descriptor = (int)syscall(SYS_memfd_create, "kinema-pictures", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -1;
    if (ftruncate(descriptor, size) == 0 &&
        // 1033: F_ADD_SEALS; 1: F_SEAL_SEAL, 2: F_SEAL_SHRINK, 4: F_SEAL_GROW.
        fcntl(descriptor, 1033, 1 | 2 | 4) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}
