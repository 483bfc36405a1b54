internal import CSandbox
internal import Foundation

/// Denies a decoder process everything it does not need: files, network, other processes, new programs.
enum ConfinementHandle {
    /// The version of Landlock (files, TCP ports, signals), 0 without, and whether system calls can be filtered.
    static var support: (landlock: Int, filtersSystemCalls: Bool) {
        (Int(kinema_landlock_version()), seccomp_api_get() >= 2)
    }

    /// Limits this process's own memory, the files it can write and those it can have open.
    static func limit(ownMemory: Int) {
        func set(_ resource: __rlimit_resource_t, _ most: Int) {
            var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
            setrlimit(resource, &limit)
        }
        set(__rlimit_resource_t(RLIMIT_DATA.rawValue), ownMemory)
        set(__rlimit_resource_t(RLIMIT_CORE.rawValue), 0)
        set(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), 64)
        // Neither other programs of this user nor a debugger may look inside.
        kinema_hide_memory()
    }

    /// Denies this thread and its children all files but reading one, and all ports but one (0 for none), by Landlock.
    static func closeFiles(but file: String?, port: Int) { _ = kinema_landlock(file, UInt16(clamping: port)) }

    /// Restricts this process to the system calls of decoding, plus those for a stream; false without
    /// kernel support. Other calls fail with EPERM; those of attacks end the process.
    static func filterSystemCalls(reaching stream: StreamRequest?) -> Bool {
        guard let filter = seccomp_init(kinema_refuse_with(EPERM)) else { return false }
        defer { seccomp_release(filter) }
        // SAFETY: the filter lives until it has been loaded; the kernel keeps its own copy.
        guard seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0 else { return false }
        for name in allowed { add(filter, kinema_allow(), name) }
        for name in fatal { add(filter, kinema_kill_process(), name) }
        // New threads, but no new processes; the C library falls back to `clone` when `clone3` is unknown.
        add(filter, kinema_refuse_with(ENOSYS), "clone3")
        let threads = UInt64(kinema_thread_flags())
        add(filter, kinema_allow(), "clone", [masked(0, threads, threads)])
        // Memory, but none to run code in.
        let runs = UInt64(PROT_EXEC)
        add(filter, kinema_allow(), "mmap", [masked(2, runs, 0)])
        add(filter, kinema_allow(), "mprotect", [masked(2, runs, 0)])
        if let stream {
            for name in network { add(filter, kinema_allow(), name) }
            let kind = UInt64(SOCK_STREAM.rawValue)
            add(filter, kinema_allow(), "socket", [masked(0, .max, UInt64(AF_INET)), masked(1, 0xF, kind)])
            // Landlock restricts the files.
            let writes = UInt64(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)
            if stream.authorities != nil { add(filter, kinema_allow(), "openat", [masked(2, writes, 0)]) }
        }
        // The names of threads.
        add(filter, kinema_allow(), "prctl", [masked(0, UInt64.max, UInt64(PR_SET_NAME))])
        return seccomp_load(filter) == 0
    }

    /// The system calls of decoding: inherited descriptors, memory, locks, clocks, exit.
    private static let allowed = [
        "read", "readv", "pread64", "write", "writev", "pwrite64", "lseek", "_llseek", "fstat", "fstat64",
        "newfstatat", "close", "fcntl", "poll", "ppoll", "sendto", "sendmsg", "recvfrom", "recvmsg", "shutdown",
        "brk", "munmap", "mremap", "madvise", "futex", "futex_time64", "sched_yield", "sched_getaffinity", "getpid",
        "gettid", "clock_gettime", "clock_gettime64", "clock_getres", "clock_nanosleep", "clock_nanosleep_time64",
        "nanosleep", "gettimeofday", "getrandom", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
        "rseq", "set_robust_list", "membarrier", "restart_syscall", "exit", "exit_group",
    ]

    /// The system calls of a TCP connection besides `socket`.
    private static let network = ["connect", "getsockopt", "setsockopt", "getsockname", "getpeername"]

    /// The system calls of attacks.
    private static let fatal = [
        "execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "init_module",
        "finit_module", "kexec_load", "mount", "umount2", "pivot_root", "setns", "unshare", "bpf",
    ]

    private static func add(
        _ filter: scmp_filter_ctx, _ action: UInt32, _ name: String, _ arguments: [scmp_arg_cmp] = []
    ) {
        let number = seccomp_syscall_resolve_name(name)
        // Some calls exist on other processors only.
        guard number != __NR_SCMP_ERROR else { return }
        seccomp_rule_add_array(filter, action, number, UInt32(arguments.count), arguments)
    }

    private static func masked(_ argument: UInt32, _ mask: UInt64, _ value: UInt64) -> scmp_arg_cmp {
        scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
    }
}

package enum HeapHandle {
    // SAFETY: mallopt only sets a limit, before any other thread allocates.
    /// Lets threads share as many heaps as there are processors; call it before any thread exists.
    ///
    /// By default the C library adds up to eight heaps per processor: long runs grow by some 10 MB at a time, and short
    /// ones take 6 MB and 2 % more processor time.
    package static func limit() {
        mallopt(M_ARENA_MAX, Int32(clamping: max(2, ProcessInfo.processInfo.activeProcessorCount)))
    }
}
