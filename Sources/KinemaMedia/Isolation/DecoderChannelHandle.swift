// For `timeval`: the compiler may attribute it to this module, the first to include its header.
internal import CFFmpeg
internal import Foundation
internal import Synchronization

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
