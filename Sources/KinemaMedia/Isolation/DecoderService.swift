internal import Foundation
internal import KinemaCore
internal import Synchronization

/// The code that a decoder process runs: reads one input and puts its pictures into shared memory.
package enum DecoderService {
    /// The argument that makes an executable a decoder process.
    package static let argument = "decode-apart"
    /// Whether this executable can become a decoder.
    static let canServe = Atomic<Bool>(false)

    enum Descriptor {
        static let control: Int32 = 3
        static let memory: Int32 = 4
        static let input: Int32 = 5
        /// An empty file for pipes that need random access.
        static let scratch: Int32 = 6
    }

    enum ExitCode {
        static let done: Int32 = 0
        static let misused: Int32 = 64
        /// FFmpeg is not installed.
        static let missing: Int32 = 69
    }

    /// Serves and never returns if started as a decoder. Call it before any other thread exists.
    package static func runIfAsked(_ arguments: [String]) {
        canServe.store(true, ordering: .relaxed)
        guard arguments.count == 2, arguments[1] == argument else { return }
        guard MediaLibrary.load() else { _exit(ExitCode.missing) }
        DecoderChannelHandle.closeInherited(above: Descriptor.scratch)
        let channel = DecoderChannelHandle(Descriptor.control, longest: DecoderMessageKind.maximumRequest)
        guard case .message(let message) = channel.receive(), message.kind == .open,
            let request = try? JSONDecoder().decode(DecoderRequest.self, from: Data(message.payload)),
            let memory = SharedMemoryHandle(given: Descriptor.memory, size: request.sharedMemory)
        else { _exit(ExitCode.misused) }
        ConfinementHandle.limit(ownMemory: request.ownMemory)
        request.limits.limitAllocations()
        // The driver reads files when it starts; afterwards it needs only the open device.
        let device = Result { () throws(KinemaError) in try openDevice(request) }
        let session = DecoderSession(channel, request, SharedPictureMemory(memory), device)
        ConfinementHandle.closeFiles(but: request.stream?.authorities, port: request.stream?.port ?? 0)
        session.listen()
        if !ConfinementHandle.filterSystemCalls(reaching: request.stream, usesDevice: session.usesDevice) {
            session.report(Diagnostic("decoder.unfiltered", unfiltered))
        }
        session.serve()
        _exit(ExitCode.done)
    }

    /// Starts the requested device; nil for the processor.
    ///
    /// A driver's threads keep their rights. The system call filter removes those for files but not for streams, so
    /// such a driver is refused.
    private static func openDevice(_ request: DecoderRequest) throws(KinemaError) -> HardwareDeviceHandle? {
        guard let device = try HardwareDeviceHandle.open(request.decoding) else { return nil }
        guard request.stream != nil else { return device }
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
        guard threads != 1 else { return device }
        guard device.isRequired else { return nil }
        throw KinemaError(
            .unsupported,
            "the driver of \(device.path) has threads of its own, which the sandbox of a stream cannot confine; "
                + "use --decode auto, or --no-sandbox for a camera you trust",
            file: request.source)
    }

    private static let unfiltered =
        "this kernel cannot filter system calls, so the decoder is confined by limits alone"
}
