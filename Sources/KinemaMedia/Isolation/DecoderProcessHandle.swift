internal import CFFmpeg
internal import CSandbox
internal import Foundation
internal import KinemaCore
internal import Synchronization

/// A running decoder process: started in `init`, ended and waited for in `deinit`.
final class DecoderProcessHandle {
    let channel: DecoderChannelHandle
    private let process: pid_t
    private var status: Int32?

    /// Starts the executable as a decoder, of an open file if there is one, with memory for its pictures.
    init(executable: String, file: GivenFile?, memory: SharedMemoryHandle, source: String) throws(KinemaError) {
        guard let (own, other) = DecoderChannelHandle.pair() else { throw Self.failure(errno, source) }
        defer { close(other) }
        channel = own
        // Copied above those that the new process expects, so that none is overwritten before it is passed.
        var high: [Int32] = []
        defer { for descriptor in high { close(descriptor) } }
        for descriptor in [other, memory.descriptor] + (file.map { [$0.descriptor, $0.scratch] } ?? []) {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 64)
            guard copy >= 0 else { throw Self.failure(errno, source) }
            high.append(copy)
        }
        let (code, process) = Self.spawn(executable, high)
        guard code == 0 else { throw Self.failure(code, source) }
        self.process = process
    }

    deinit { end() }

    /// The environment variables passed to the decoder: none is secret.
    private static let passedVariables = [
        "LD_LIBRARY_PATH", "LANG", "LC_ALL", "TZ", "LIBVA_DRIVER_NAME", "LIBVA_DRIVERS_PATH", DecoderFault.variable,
    ]

    private static func spawn(_ executable: String, _ descriptors: [Int32]) -> (code: Int32, process: pid_t) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for standard in 0...2 {
            posix_spawn_file_actions_addopen(&actions, Int32(standard), "/dev/null", O_RDWR, 0)
        }
        for (index, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, DecoderService.Descriptor.control + Int32(index))
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A separate process group, so that Ctrl-C reaches only the parent, which decides what to keep.
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        let environment = ProcessInfo.processInfo.environment
        let variables = passedVariables.compactMap { name in environment[name].map { "\(name)=\($0)" } }
        var process: pid_t = 0
        let code = withCStrings(["kinema", DecoderService.argument]) { arguments in
            withCStrings(variables) { posix_spawn(&process, executable, &actions, &attributes, arguments, $0) }
        }
        return (code, process)
    }

    private static func withCStrings<R>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
        // SAFETY: each copy lives until `body` has returned.
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }

    private static func failure(_ code: Int32, _ source: String) -> KinemaError {
        KinemaError(
            .unsupported,
            "no decoder process can be started (\(String(cString: strerror(code)))); close other programs, or read with "
                + "--no-sandbox", file: source)
    }

    /// The processor time it has used; nil when it is gone.
    var processorTime: Duration? {
        var clock = clockid_t()
        var time = timespec()
        guard status == nil, clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            return nil
        }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    func end() {
        guard status == nil else { return }
        kill(process, SIGKILL)
        wait()
    }

    /// Waits briefly for the process to end, and returns the signal that ended it, or nil, and its exit code.
    func ending() -> (signal: Int32?, code: Int32) {
        // It has closed its socket, so it should end soon; if it does not, it is killed.
        for _ in 0..<100 where !hasEnded() { usleep(10_000) }
        end()
        // As WIFSIGNALED, WTERMSIG and WEXITSTATUS: the low seven bits are 0 after a normal end.
        let status = status ?? 0
        return (status & 0x7F == 0 ? nil : status & 0x7F, status >> 8 & 0xFF)
    }

    private func hasEnded() -> Bool {
        var status: Int32 = 0
        guard self.status == nil, waitpid(process, &status, WNOHANG) == process else { return self.status != nil }
        self.status = status
        return true
    }

    private func wait() {
        guard self.status == nil else { return }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        self.status = status
    }
}

// For `timeval`: the compiler may attribute it to this module, the first to include its header.

/// One end of the socket between a process and its decoder. One thread receives; any may send.
// SAFETY: unchecked because the buffer of received bytes belongs to the one thread that receives, and the lock keeps
// messages whole that several send. The descriptor is closed in `deinit`.
final class DecoderChannelHandle: @unchecked Sendable {
    struct Message {
        var kind: DecoderMessageKind
        var payload: [UInt8]
    }

    enum Received {
        case message(Message)
        case nothing
        /// The other side is gone.
        case closed
        /// The received bytes are not a message.
        case invalid
    }

    private let descriptor: Int32
    private let sending = Mutex<Void>(())
    private var pending: [UInt8] = []
    private let longest: Int

    init(_ descriptor: Int32, longest: Int) {
        (self.descriptor, self.longest) = (descriptor, longest)
        // A receiver that does not read for this long has stopped.
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Two connected ends: the first for this process, the second for its decoder; nil on failure.
    static func pair() -> (own: DecoderChannelHandle, other: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            return nil
        }
        return (DecoderChannelHandle(ends[0], longest: DecoderMessageKind.maximumAnswer), ends[1])
    }

    /// Closes the descriptors that a new process has inherited beyond its own.
    static func closeInherited(above last: Int32) {
        let open =
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? (0..<1024).map(String.init)
        for descriptor in open.compactMap(Int32.init) where descriptor > last { close(descriptor) }
    }

    /// Sends a whole message; false when the other side is gone.
    func send(_ message: [UInt8]) -> Bool {
        sending.withLock { _ in
            message.withUnsafeBytes { bytes in
                var sent = 0
                while sent < bytes.count, let base = bytes.baseAddress {
                    // SAFETY: the rest of the message lies behind `base + sent`.
                    let count = Foundation.send(descriptor, base + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return false }
                    sent += count
                }
                return true
            }
        }
    }

    func receive(within duration: Duration? = nil) -> Received {
        while true {
            if let received = takePending() { return received }
            if let duration {
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                let ready = poll(&request, 1, Int32(duration / .milliseconds(1)))
                if ready == 0 || (ready < 0 && errno == EINTR) { return .nothing }
            }
            let isHeadKnown = pending.count >= DecoderMessageKind.headLength
            let missing = isHeadKnown ? DecoderMessageKind.headLength + length - pending.count : 0
            var block = [UInt8](repeating: 0, count: max(1 << 12, min(missing, 1 << 16)))
            // SAFETY: at most as many bytes are written as the block has.
            let count = recv(descriptor, &block, block.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .closed }
            pending += block[..<count]
        }
    }

    private var length: Int { (0..<4).reduce(0) { $0 | Int(pending[$1]) << (8 * $1) } }

    private func takePending() -> Received? {
        guard pending.count >= DecoderMessageKind.headLength else { return nil }
        guard length <= longest, let kind = DecoderMessageKind(rawValue: pending[4]) else {
            return .invalid
        }
        let end = DecoderMessageKind.headLength + length
        guard pending.count >= end else { return nil }
        let payload = Array(pending[DecoderMessageKind.headLength..<end])
        pending.removeFirst(end)
        return .message(Message(kind: kind, payload: payload))
    }
}
