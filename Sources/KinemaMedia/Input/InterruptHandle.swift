internal import CFFmpeg
internal import Dispatch
internal import Synchronization

/// What FFmpeg asks, ten times a second and oftener, while it waits for a network: whether to go on waiting.
final class InterruptHandle {
    private let cancellation: CancellationFlag
    /// The end of the patience in nanoseconds of the machine's uptime; 0 for none.
    private let deadline = Atomic<UInt64>(0)

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

    private var shouldStop: Bool { cancellation.isRaised || isOverdue }

    /// Has the context ask this object.
    func install(on context: UnsafeMutablePointer<AVFormatContext>) {
        // SAFETY: the context gets this object unretained; `ContainerHandle` keeps it longer than the context.
        context.pointee.interrupt_callback.opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.interrupt_callback.callback = { opaque in
            guard let opaque else { return 1 }
            return Unmanaged<InterruptHandle>.fromOpaque(opaque).takeUnretainedValue().shouldStop ? 1 : 0
        }
    }
}
