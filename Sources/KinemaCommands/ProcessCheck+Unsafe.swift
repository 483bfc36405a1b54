import Foundation
import KinemaCore

/// What a process needs of the system before it can do anything: too little of it ends in a hang or a signal later.
enum ProcessCheck {
    /// Open files: the system's own queues, the input, its decoder, models and outputs.
    private static let leastFiles = 72
    /// Threads that run at once: reading, decoding and writing, and four pools with a thread per core (tasks, network,
    /// inference, parts of a file).
    private static let leastThreads = 16 + 4 * ProcessInfo.processInfo.activeProcessorCount
    /// KiB of the main thread and of each thread without a size of its own: a count ends by a signal with 64.
    private static let leastStack = 256
    /// MiB of addresses and of data: the models and their library; the studio ends by a signal with 500.
    private static let leastMemory = 900
    /// `RLIMIT_NPROC` of Linux, which Glibc's module lacks.
    private static let processes: UInt32 = 6
    /// Limits of processes above this are not tried out: no one sets them for one program.
    private static let ampleProcesses = 512

    /// Puts something in the place of standard streams that are closed, else the next file that is opened would be
    /// taken for one. As glibc does for privileged programs: reading the input and writing the output then fail.
    static func openStandardStreams() {
        for (descriptor, path, mode) in [
            (STDIN_FILENO, "/dev/null", O_WRONLY), (STDOUT_FILENO, "/dev/null", O_RDONLY),
            (STDERR_FILENO, "/dev/null", O_WRONLY),
        ] where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest free descriptor, which is this one, since those below are open.
            _ = open(path, mode)
        }
    }

    /// What is missing, and how to give it; nil if nothing is.
    static func problem() -> String? {
        if access("/proc/self/cmdline", R_OK) != 0 {
            return "/proc is not mounted, from which the arguments are read; mount it (mount -t proc proc /proc)"
        }
        if let files = limit(RLIMIT_NOFILE.rawValue), files < leastFiles {
            return "only \(files) open files are allowed, \(leastFiles) are needed (ulimit -n \(leastFiles))"
        }
        if let stack = limit(RLIMIT_STACK.rawValue, unit: 1 << 10), stack < leastStack {
            return "only \(stack) KiB of stack are allowed, \(leastStack) are needed (ulimit -s \(leastStack))"
        }
        for (kind, option) in [(RLIMIT_AS, "v"), (RLIMIT_DATA, "d")] {
            if let memory = limit(kind.rawValue, unit: 1 << 20), memory < leastMemory {
                return "only \(memory) MiB of memory are allowed, \(leastMemory) are needed "
                    + "(ulimit -\(option) \(leastMemory << 10))"
            }
        }
        guard let most = limit(processes), most < ampleProcesses, !canStartThreads else { return nil }
        return "no more threads can be started: only \(most) processes and threads are allowed (ulimit -u); "
            + "\(leastThreads) more are needed"
    }

    /// A limit of this process in a unit; nil if there is none.
    private static func limit(_ kind: UInt32, unit: rlim_t = 1) -> Int? {
        var found = rlimit()
        // SAFETY: the call fills the value that it is given.
        guard getrlimit(__rlimit_resource_t(kind), &found) == 0, found.rlim_cur / unit < rlim_t(Int32.max)
        else { return nil }
        return Int(found.rlim_cur / unit)
    }

    /// Starts as many threads as a run needs, each for some milliseconds.
    private static var canStartThreads: Bool {
        var threads: [pthread_t] = []
        defer { for thread in threads { pthread_join(thread, nil) } }
        for _ in 0..<leastThreads {
            var thread = pthread_t()
            // SAFETY: the thread gets no pointer and only sleeps; it is joined above.
            let code = pthread_create(
                &thread, nil,
                { _ in
                    usleep(5_000)
                    return nil
                }, nil)
            guard code == 0 else { return false }
            threads.append(thread)
        }
        return true
    }
}
