internal import Foundation
internal import KinemaCore
internal import Synchronization

/// Serves the process that started this decoder.
final class DecoderSession: Sendable {
    private let channel: DecoderChannelHandle
    private let request: DecoderRequest
    private let memory: SharedPictureMemory
    private let wanted = DispatchSemaphore(value: 0)
    /// The pictures in use by the process, by number, with their copies in shared memory.
    private let given = Mutex<[Int: (frame: VideoFrame, copy: SharedBlock?)]>([:])
    /// Received JPEG pictures and answers to requests for a connection.
    private let arrived = Mutex<[DecoderChannelHandle.Message]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    init(_ channel: DecoderChannelHandle, _ request: DecoderRequest, _ memory: SharedPictureMemory) {
        (self.channel, self.request, self.memory) = (channel, request, memory)
    }

    func report(_ diagnostic: Diagnostic) { send(DecoderMessageKind.diagnostic.message(json: diagnostic)) }

    /// Starts to receive messages; this process ends when the other one does.
    func listen() {
        Thread.start("kinema.control") { [self] in
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
    }

    /// Releases returned pictures, and counts requests for more.
    private func take(_ numbers: [Int]) {
        let frames = given.withLock { given in numbers.dropFirst().compactMap { given.removeValue(forKey: $0) } }
        // Released outside the lock, because that takes another one.
        withExtendedLifetime(frames) {}
        for _ in 0..<(numbers.first ?? 0) { wanted.signal() }
    }

    private func next() -> DecoderChannelHandle.Message {
        arrivals.wait()
        return arrived.withLock { $0.removeFirst() }
    }

    private func send(_ message: [UInt8]?) {
        guard let message, channel.send(message) else { _exit(DecoderService.ExitCode.done) }
    }

    private func fail(_ failure: any Error) {
        let known = failure as? KinemaError
        let error = known ?? KinemaError.unreadable("cannot be decoded", request.source)
        send(DecoderMessageKind.failed.message(json: error))
    }

    private func send(_ frame: VideoFrame, number: Int) throws(KinemaError) {
        guard let picture = PictureMessage.describing(frame, number: number, in: memory) else {
            throw KinemaError.unreadable(
                "decoding needs more than \(request.limits.decoderMemory >> 20) MiB; reduce the frame size first",
                request.source)
        }
        given.withLock { $0[number] = (frame, picture.copy) }
        send(DecoderMessageKind.picture.message(picture.message.payload))
    }

    func serve() {
        do {
            if let size = request.pictures { try servePictures(size) }
            try read()
            send(DecoderMessageKind.ended.message())
        } catch {
            fail(error)
        }
    }

    // MARK: Files and streams

    private func read() throws {
        let diagnostics = DiagnosticCollector()
        var reported = 0
        func reportNew() {
            let findings = diagnostics.diagnostics
            for finding in findings[reported...] { report(finding) }
            reported = findings.count
        }
        let fault = request.stream == nil ? DecoderFault.found(in: DecoderService.Descriptor.input) : nil
        let decoder = try open(diagnostics)
        send(DecoderMessageKind.opened.message(json: decoder.description))
        var number = 0
        while let frame = try decoder.next() {
            wanted.wait()
            if let fault, fault.picture == number { fault.happen() }
            reportNew()
            try send(frame, number: number)
            number += 1
        }
        reportNew()
    }

    private func open(_ diagnostics: DiagnosticCollector) throws -> any FrameDecoding {
        var options = ReadingOptions()
        (options.decodingThreads, options.limits) = (request.decodingThreads, request.limits)
        (options.live, options.diagnostics, options.memory) = (request.live, diagnostics, memory)
        (options.part, options.timing) = (request.part, request.timing)
        options.selection = request.selection
        options.onState = { [self] in send(DecoderMessageKind.state.message(json: $0)) }
        if let stream = request.stream {
            var address = try StreamAddress(stream.address)
            address.trust = stream.trustsAnyone ? .anyone : .authorities(file: stream.authorities)
            options.gate = GateClient(port: stream.port) { [self] (address) throws(KinemaError) in
                try connect(to: address)
            }
            return try FrameDecoder.open(.stream(address), options, cancellation: CancellationFlag())
        }
        let input =
            request.isStandardInput
            ? MediaInput.standardInput : .file(URL(fileURLWithPath: request.source, isDirectory: false))
        options.given = GivenFile(
            descriptor: DecoderService.Descriptor.input, scratch: DecoderService.Descriptor.scratch)
        return try FrameDecoder.open(input, options, cancellation: CancellationFlag())
    }

    private func connect(to address: String) throws(KinemaError) -> String {
        send(DecoderMessageKind.connect.message(json: StreamRequest(address: address)))
        let answer = try? JSONDecoder().decode(ConnectAnswer.self, from: Data(next().payload))
        guard let address = answer?.address else {
            throw answer?.failure ?? KinemaError.unreadable("cannot be reached", request.source)
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
                fail(error)
            }
            number += 1
        }
    }
}

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
        let session = DecoderSession(channel, request, SharedPictureMemory(memory))
        ConfinementHandle.closeFiles(but: request.stream?.authorities, port: request.stream?.port ?? 0)
        session.listen()
        if !ConfinementHandle.filterSystemCalls(reaching: request.stream) {
            session.report(Diagnostic("decoder.unfiltered", unfiltered))
        }
        session.serve()
        _exit(ExitCode.done)
    }

    private static let unfiltered =
        "this kernel cannot filter system calls, so the decoder is confined by limits alone"
}
