import KinemaCore

/// Delivers the frames of an input in order. Synchronous; for one thread.
protocol FrameDecoding: AnyObject {
    var description: StreamDescription { get }
    /// Returns the next frame, or nil after the last one. Throws CancellationError once reading is cancelled.
    func next() throws -> VideoFrame?
}

extension Diagnostic {
    /// The processor decoded a video although there is a device.
    static func passedOver(_ device: HardwareDeviceHandle, _ input: MediaInput) -> Diagnostic {
        Diagnostic("decoder.software", "decoded by the processor, since \(device.path) does not", file: input.source)
    }
}
