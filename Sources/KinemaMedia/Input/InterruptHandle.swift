import CFFmpeg
import Dispatch
import Foundation
import Synchronization

final class CancellationFlag: Sendable {
    private let raised = Atomic<Bool>(false)

    var isRaised: Bool { raised.load(ordering: .relaxed) }

    func raise() { raised.store(true, ordering: .relaxed) }
}

/// FFmpeg polls this object at least ten times a second while it waits for the network, to check for interruption.
// SAFETY: unchecked because the threads that relay a stream poll it too: shared state is atomic, and redirects belong
// to the opening thread.
final class InterruptHandle: @unchecked Sendable {
    private let cancellation: CancellationFlag
    /// The deadline in nanoseconds of uptime; 0 for none.
    private let deadline = Atomic<UInt64>(0)
    private let isStopped = Atomic<Bool>(false)

    init(_ cancellation: CancellationFlag) { self.cancellation = cancellation }

    /// Sets the timeout for every wait from now on; nil for none.
    func setTimeout(_ duration: Duration?) {
        let end = duration.map { DispatchTime.now().uptimeNanoseconds + UInt64(max(0, $0 / .nanoseconds(1))) }
        deadline.store(end ?? 0, ordering: .relaxed)
    }

    var hasTimedOut: Bool {
        let end = deadline.load(ordering: .relaxed)
        return end != 0 && DispatchTime.now().uptimeNanoseconds >= end
    }

    /// The time left; nil without a timeout.
    var remaining: Duration? {
        let end = deadline.load(ordering: .relaxed)
        guard end != 0 else { return nil }
        return .nanoseconds(Int64(clamping: end) - Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    }

    /// Ends every wait from now on.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    var shouldStop: Bool { cancellation.isRaised || isStopped.load(ordering: .relaxed) || hasTimedOut || isRedirected }

    /// The callback for FFmpeg; this object must outlive its use.
    var callback: AVIOInterruptCB {
        // SAFETY: passed unretained, to a context or a connection that ends before this object.
        AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 1 }
                return Unmanaged<InterruptHandle>.fromOpaque(opaque).takeUnretainedValue().shouldStop ? 1 : 0
            }, opaque: Unmanaged.passUnretained(self).toOpaque())
    }

    func install(on context: UnsafeMutablePointer<AVFormatContext>) {
        context.pointee.interrupt_callback = callback
    }

    // MARK: Redirects

    // SAFETY: set and read on the thread that opens the context, and only while the context exists.
    private var opened: (context: UnsafeMutablePointer<AVFormatContext>, address: String)?
    /// The address the server redirects to; nil if it does not.
    private(set) var redirect: String?

    /// Whether to block connections after the first, and whether that has been done.
    private var blocksSecondConnection = false
    private var hasBlocked = false

    /// Stops the context as soon as it goes to another address, because FFmpeg follows RTSP redirects anywhere.
    ///
    /// FFmpeg has then connected to that address but sent nothing. With `once` it makes no second connection, and the
    /// redirect target stays unknown.
    func watchRedirects(of context: UnsafeMutablePointer<AVFormatContext>, at address: String, once: Bool) {
        (opened, redirect) = ((context, address), nil)
        (blocksSecondConnection, hasBlocked) = (once, false)
    }

    func stopWatchingRedirects() { opened = nil }

    private var isRedirected: Bool {
        guard let opened, redirect == nil else { return redirect != nil }
        if blocksSecondConnection, !hasBlocked {
            // FFmpeg first asks while it makes the first connection, when that protocol has already been allowed.
            av_opt_set(opened.context, "protocol_whitelist", "none", 0)
            hasBlocked = true
        }
        // The address is missing until the context is being opened.
        guard let url = opened.context.pointee.url, strcmp(url, opened.address) != 0 else { return false }
        redirect = String(cString: url)
        return true
    }
}
