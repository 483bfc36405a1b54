internal import Foundation
internal import KinemaCore
internal import Synchronization

/// The inside of a decoder process: reads one input and puts its pictures into shared memory.
package enum DecoderService {
    /// The argument by which an executable is asked to be a decoder process.
    package static let argument = "decode-apart"
    /// Whether this executable becomes a decoder when it is asked to.
    static let canServe = Atomic<Bool>(false)

    /// What a decoder process finds open.
    enum Descriptor {
        static let control: Int32 = 3
        static let memory: Int32 = 4
        static let input: Int32 = 5
        /// An empty file for what a pipe delivers and has to be read again.
        static let scratch: Int32 = 6
    }

    enum ExitCode {
        static let done: Int32 = 0
        static let misused: Int32 = 64
    }

    /// Serves and never returns if the process was started as a decoder; returns at once otherwise. To be called before
    /// any other thread exists, which would keep its rights.
    package static func runIfAsked(_ arguments: [String]) {
        canServe.store(true, ordering: .relaxed)
        guard arguments.count == 2, arguments[1] == argument else { return }
        DecoderChannelHandle.closeInherited(above: Descriptor.scratch)
        let channel = DecoderChannelHandle(Descriptor.control, longest: DecoderMessageKind.maximumRequest)
        guard case .message(let message) = channel.receive(), message.kind == .open,
            let request = try? JSONDecoder().decode(DecoderRequest.self, from: Data(message.payload)),
            let memory = SharedMemoryHandle(given: Descriptor.memory, size: request.sharedMemory)
        else { _exit(ExitCode.misused) }
        ConfinementHandle.limit(ownMemory: request.ownMemory)
        request.limits.limitAllocations()
        // Its driver reads files to start; afterwards it needs only the device that is open.
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

    /// Starts the device that a request asks for; nil for the processor.
    ///
    /// A driver's own threads keep their rights to files and ports. With a file the filter of system calls takes these from
    /// them too; with a stream it cannot, so that such a driver is not used.
    private static func openDevice(_ request: DecoderRequest) throws(KinemaError) -> HardwareDeviceHandle? {
        guard let device = try HardwareDeviceHandle.open(request.decoding) else { return nil }
        guard request.stream != nil else { return device }
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
        guard threads != 1 else { return device }
        guard device.isRequired else { return nil }
        throw KinemaError(
            .unsupported,
            "the driver of \(device.path) has threads of its own, which the sandbox of a stream cannot hold; "
                + "take --decode auto, or --no-sandbox for a camera you trust",
            file: request.source)
    }

    private static let unfiltered =
        "this kernel cannot filter system calls, so the decoder is confined by limits alone"
}

/// What a decoder process does for the one that started it.
final class DecoderSession: Sendable {
    private let channel: DecoderChannelHandle
    private let request: DecoderRequest
    private let memory: SharedPictureMemory
    private let device: Result<HardwareDeviceHandle?, KinemaError>
    private let wanted = DispatchSemaphore(value: 0)
    /// Pictures the process has, by number, with the copies of those that were made elsewhere.
    private let given = Mutex<[Int: (frame: VideoFrame, copy: SharedBlock?)]>([:])
    /// JPEG pictures, and answers to wishes to be connected, that have arrived.
    private let arrived = Mutex<[DecoderChannelHandle.Message]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    init(
        _ channel: DecoderChannelHandle, _ request: DecoderRequest, _ memory: SharedPictureMemory,
        _ device: Result<HardwareDeviceHandle?, KinemaError>
    ) {
        (self.channel, self.request, self.memory, self.device) = (channel, request, memory, device)
    }

    /// Whether it decodes with a device.
    var usesDevice: Bool { (try? device.get()) ?? nil != nil }

    func report(_ diagnostic: Diagnostic) {
        send(DecoderMessageKind.diagnostic.message(diagnostic))
    }

    /// Starts to take what the process says; when it is gone, so is this one.
    func listen() {
        let thread = Thread { [self] in
            while true {
                switch channel.receive(within: DecoderLimits.heartbeat) {
                case .message(let message) where message.kind == .take: take(WireNumbers.read(message.payload[...]))
                case .message(let message):
                    arrived.withLock { $0.append(message) }
                    arrivals.signal()
                case .nothing: send(DecoderMessageKind.heartbeat.message())
                case .closed, .invalid: _exit(DecoderService.ExitCode.done)
                }
            }
        }
        thread.name = "kinema.control"
        thread.start()
    }

    /// Takes back pictures, and the wish for more.
    private func take(_ numbers: [Int]) {
        let frames = given.withLock { given in numbers.dropFirst().compactMap { given.removeValue(forKey: $0) } }
        // Outside the lock, since letting go of them takes another.
        withExtendedLifetime(frames) {}
        for _ in 0..<(numbers.first ?? 0) { wanted.signal() }
    }

    /// Waits for the next message that is no `take`.
    private func next() -> DecoderChannelHandle.Message {
        arrivals.wait()
        return arrived.withLock { $0.removeFirst() }
    }

    private func send(_ message: [UInt8]?) {
        guard let message, channel.send(message) else { _exit(DecoderService.ExitCode.done) }
    }

    private func send(_ failure: any Error) {
        let known = failure as? KinemaError
        send(
            DecoderMessageKind.failed.message(
                FailureMessage(known ?? KinemaError(.unreadableInput, "cannot be decoded", file: request.source))))
    }

    private func send(_ frame: VideoFrame, number: Int) throws(KinemaError) {
        guard let picture = PictureMessage.describing(frame, number: number, in: memory) else {
            throw KinemaError(
                .unreadableInput,
                "decoding needs more than \(request.limits.decoderMemory >> 20) MiB; reduce the picture size first",
                file: request.source)
        }
        given.withLock { $0[number] = (frame, picture.copy) }
        send(DecoderMessageKind.picture.message(picture.message.payload))
    }

    /// Reads the input to its end, or decodes pictures for as long as there is somebody who sends them.
    func serve() {
        do {
            if let size = request.pictures { try servePictures(size) }
            try read()
            send(DecoderMessageKind.ended.message())
        } catch {
            send(error)
        }
    }

    // MARK: Files and streams

    private func read() throws {
        let diagnostics = DiagnosticCollector()
        var reported = 0
        func tell() {
            let findings = diagnostics.diagnostics
            for finding in findings[reported...] { report(finding) }
            reported = findings.count
        }
        let fault = request.stream == nil ? DecoderFault.found(in: DecoderService.Descriptor.input) : nil
        let decoder = try open(diagnostics)
        send(DecoderMessageKind.opened.message(DecodedStream(decoder.description)))
        var number = 0
        while let frame = try decoder.next() {
            wanted.wait()
            if let fault, fault.picture == number { fault.happen() }
            tell()
            try send(frame, number: number)
            number += 1
        }
        tell()
    }

    private func open(_ diagnostics: DiagnosticCollector) throws -> any FrameDecoding {
        var options = ReadingOptions()
        (options.decodingThreads, options.limits) = (request.decodingThreads, request.limits)
        (options.live, options.diagnostics, options.memory) = (request.live, diagnostics, memory)
        options.device = try device.get()
        options.onState = { [self] in send(DecoderMessageKind.state.message(StateMessage($0))) }
        if let stream = request.stream {
            var address = try StreamAddress(stream.address)
            address.trust = stream.trustsAnyone ? .anyone : .authorities(file: stream.authorities)
            options.gate = GateClient(port: stream.port) { [self] (address) throws(KinemaError) in
                try connect(to: address)
            }
            return try FrameDecoder.open(
                .stream(address), options, cancellation: CancellationFlag(), diagnostics: diagnostics)
        }
        let input =
            request.isStandardInput
            ? MediaInput.standardInput : .file(URL(fileURLWithPath: request.source, isDirectory: false))
        options.given = GivenFile(
            descriptor: DecoderService.Descriptor.input, scratch: DecoderService.Descriptor.scratch)
        return try FrameDecoder.open(input, options, cancellation: CancellationFlag(), diagnostics: diagnostics)
    }

    /// Asks for a connection, and waits for it.
    private func connect(to address: String) throws(KinemaError) -> String {
        send(DecoderMessageKind.connect.message(StreamRequest(address: address)))
        let answer = try? JSONDecoder().decode(ConnectAnswer.self, from: Data(next().payload))
        guard let address = answer?.address else {
            throw answer?.failure?.error ?? KinemaError(.unreadableInput, "cannot be reached", file: request.source)
        }
        return address
    }

    // MARK: Pictures

    private func servePictures(_ size: DecoderRequest.Size) throws -> Never {
        let decoder = try JPEGDecoder(maximumWidth: size.width, maximumHeight: size.height, memory: memory)
        let id = TemporalSegmentIdentifier(source: "", range: 0..<1, timescale: 1)
        var number = 0
        while true {
            do {
                try send(try decoder.frame(Data(next().payload), id: id), number: number)
            } catch {
                send(error)
            }
            number += 1
        }
    }
}

/// A fault that a test puts at the end of a file, to see what becomes of the process that reads it.
///
/// Nothing looks for one unless the environment variable `KINEMA_DECODER_FAULTS` is set.
struct DecoderFault: Equatable {
    enum Kind: String, CaseIterable {
        /// Reads where nothing is.
        case crash
        /// Computes for ever.
        case loop
        /// Says nothing more.
        case stop
        /// Takes all memory it gets.
        case memory
        /// Starts a program.
        case program
        /// Opens a file of the machine.
        case file
        /// Connects to an address.
        case network
    }

    static let variable = "KINEMA_DECODER_FAULTS"

    var kind: Kind
    /// The number of the picture before which it happens.
    var picture: Int

    /// The last line of a file that asks for it, such as `kinema-fault crash 10`; nil for anything else.
    init?(_ line: some StringProtocol) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[0] == "kinema-fault", let kind = Kind(rawValue: String(words[1])),
            let picture = Int(words[2])
        else { return nil }
        (self.kind, self.picture) = (kind, picture)
    }
}
