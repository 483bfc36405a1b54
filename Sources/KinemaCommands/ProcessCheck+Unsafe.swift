import Foundation
import KinemaCore

/// What a process needs of the system before it can do anything: too little of it ends in a hang or a signal later.
enum ProcessCheck {
    /// Open files: the system's own queues, the input, its decoder, models and outputs.
    private static let leastFiles = 72
    /// Threads that run at once: a pool per core, reading, decoding and writing.
    private static let leastThreads = 24
    /// `RLIMIT_NPROC` of Linux, which Glibc's module lacks.
    private static let processes: UInt32 = 6
    /// Limits of processes above this are not tried out: no one sets them for one program.
    private static let ampleProcesses = 512

    /// What is missing, and how to give it; nil if nothing is.
    static func problem() -> String? {
        if access("/proc/self/cmdline", R_OK) != 0 {
            return "/proc is not mounted, from which the arguments are read; mount it (mount -t proc proc /proc)"
        }
        if let files = limit(RLIMIT_NOFILE.rawValue), files < leastFiles {
            return "only \(files) open files are allowed, \(leastFiles) are needed (ulimit -n \(leastFiles))"
        }
        guard let most = limit(processes), most < ampleProcesses, !canStartThreads else { return nil }
        return "no more threads can be started: only \(most) processes and threads are allowed (ulimit -u); "
            + "\(leastThreads) more are needed"
    }

    /// A limit of this process; nil if there is none.
    private static func limit(_ kind: UInt32) -> Int? {
        var found = rlimit()
        // SAFETY: the call fills the value that it is given.
        guard getrlimit(__rlimit_resource_t(kind), &found) == 0, found.rlim_cur < rlim_t(Int32.max) else {
            return nil
        }
        return Int(found.rlim_cur)
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
