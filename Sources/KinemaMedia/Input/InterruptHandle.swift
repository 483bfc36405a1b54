internal import CFFmpeg
internal import Dispatch
internal import Foundation
internal import Synchronization

/// What FFmpeg asks, ten times a second and oftener, while it waits for a network: whether to go on waiting.
// SAFETY: unchecked because the threads that carry a stream ask it too: what they share is atomic, and redirections are of
// the opening thread alone.
final class InterruptHandle: @unchecked Sendable {
    private let cancellation: CancellationFlag
    /// The end of the patience in nanoseconds of the machine's uptime; 0 for none.
    private let deadline = Atomic<UInt64>(0)
    private let isHalted = Atomic<Bool>(false)

    init(_ cancellation: CancellationFlag) {
        self.cancellation = cancellation
    }

    /// From now on, waits no longer than this; for ever when nil.
    func limit(_ duration: Duration?) {
        let end = duration.map { DispatchTime.now().uptimeNanoseconds + UInt64(max(0, $0 / .nanoseconds(1))) }
        deadline.store(end ?? 0, ordering: .relaxed)
    }

    /// Whether the patience is over.
    var isOverdue: Bool {
        let end = deadline.load(ordering: .relaxed)
        return end != 0 && DispatchTime.now().uptimeNanoseconds >= end
    }

    /// What is left of the patience; nil without an end.
    var remaining: Duration? {
        let end = deadline.load(ordering: .relaxed)
        guard end != 0 else { return nil }
        return .nanoseconds(Int64(clamping: end) - Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    }

    /// Ends every wait from now on.
    func halt() {
        isHalted.store(true, ordering: .relaxed)
    }

    /// Whether nobody waits any more.
    var shouldStop: Bool { cancellation.isRaised || isHalted.load(ordering: .relaxed) || isOverdue || isRedirected }

    /// What FFmpeg asks; whoever installs it keeps this object longer.
    var callback: AVIOInterruptCB {
        // SAFETY: given unretained, to a context or a connection that ends before this object.
        AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 1 }
                return Unmanaged<InterruptHandle>.fromOpaque(opaque).takeUnretainedValue().shouldStop ? 1 : 0
            }, opaque: Unmanaged.passUnretained(self).toOpaque())
    }

    /// Has the context ask this object.
    func install(on context: UnsafeMutablePointer<AVFormatContext>) {
        context.pointee.interrupt_callback = callback
    }

    // MARK: Redirections

    // SAFETY: set and read on the thread that opens the context, which asks only while it exists.
    private var opened: (context: UnsafeMutablePointer<AVFormatContext>, address: String)?
    /// Where the server sends on to instead of the address that was opened.
    private(set) var redirection: String?

    /// Whether the context is to make no connection after the first, and whether it has been told.
    private var isSealing = false
    private var isSealed = false

    /// From now on, stops the context as soon as it goes to another address: FFmpeg follows a server of RTSP anywhere.
    ///
    /// It has connected there by then, though nothing was sent. With `once` it makes no second connection at all, and nobody
    /// learns where it was sent on to.
    func hold(_ context: UnsafeMutablePointer<AVFormatContext>, at address: String, once: Bool) {
        (opened, redirection) = ((context, address), nil)
        (isSealing, isSealed) = (once, false)
    }

    /// Lets go of the context, which may be freed.
    func letGo() {
        opened = nil
    }

    private var isRedirected: Bool {
        guard let opened, redirection == nil else { return redirection != nil }
        if isSealing, !isSealed {
            // Asked first while the first connection is made, which is when its protocol has been let through.
            av_opt_set(opened.context, "protocol_whitelist", "none", 0)
            isSealed = true
        }
        // The address is not there before the context is being opened.
        guard let url = opened.context.pointee.url, strcmp(url, opened.address) != 0 else { return false }
        redirection = String(cString: url)
        return true
    }
}
