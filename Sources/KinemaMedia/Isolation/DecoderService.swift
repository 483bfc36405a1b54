internal import Foundation
internal import KinemaCore
internal import Synchronization

/// The inside of a decoder process: reads one input from a descriptor and puts its pictures into shared memory.
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

    /// Serves and never returns if the process was started as a decoder; returns at once otherwise.
    package static func runIfAsked(_ arguments: [String]) {
        canServe.store(true, ordering: .relaxed)
        guard arguments.count == 2, arguments[1] == argument else { return }
        DecoderChannelHandle.closeInherited(above: Descriptor.scratch)
        let channel = DecoderChannelHandle(Descriptor.control)
        guard case .message(let message) = channel.receive(), message.kind == .open,
            let request = try? JSONDecoder().decode(DecoderRequest.self, from: Data(message.payload)),
            let memory = SharedMemoryHandle(given: Descriptor.memory, size: request.sharedMemory)
        else { _exit(ExitCode.misused) }
        ConfinementHandle.limit(ownMemory: request.ownMemory)
        let service = Session(channel, request, SharedPictureMemory(memory))
        // Before any other thread, which would keep its rights.
        ConfinementHandle.closeFiles()
        service.listen()
        let isFiltered = ConfinementHandle.filterSystemCalls()
        if !isFiltered { service.report(Diagnostic("decoder.unfiltered", unfiltered)) }
        service.serve()
        _exit(ExitCode.done)
    }

    private static let unfiltered =
        "this kernel cannot filter system calls, so the decoder is confined by limits alone"

    enum ExitCode {
        static let done: Int32 = 0
        static let misused: Int32 = 64
    }

    /// One input being read.
    private final class Session: Sendable {
        private let channel: DecoderChannelHandle
        private let request: DecoderRequest
        private let memory: SharedPictureMemory
        private let wanted = DispatchSemaphore(value: 0)
        /// Pictures the process has, by number, with the copies of those that were made elsewhere.
        private let given = Mutex<[Int: (frame: VideoFrame, copy: SharedBlock?)]>([:])

        init(_ channel: DecoderChannelHandle, _ request: DecoderRequest, _ memory: SharedPictureMemory) {
            (self.channel, self.request, self.memory) = (channel, request, memory)
        }

        func report(_ diagnostic: Diagnostic) {
            send(DecoderMessageKind.diagnostic.message(diagnostic))
        }

        /// Starts to take what the process says; when it is gone, so is this one.
        func listen() {
            let thread = Thread { [self] in
                while true {
                    switch channel.receive(within: DecoderLimits.heartbeat) {
                    case .message(let message): take(WireNumbers.read(message.payload[...]))
                    case .nothing: send(DecoderMessageKind.heartbeat.message())
                    case .closed, .invalid: _exit(ExitCode.done)
                    }
                }
            }
            thread.name = "kinema.control"
            thread.start()
        }

        /// Takes back pictures, and the wish for more.
        private func take(_ numbers: [Int]) {
            let free = numbers.dropFirst()
            let frames = given.withLock { given in free.compactMap { given.removeValue(forKey: $0) } }
            // Outside the lock, since letting go of them takes another.
            withExtendedLifetime(frames) {}
            for _ in 0..<(numbers.first ?? 0) { wanted.signal() }
        }

        /// Reads the input to its end.
        func serve() {
            do {
                try read()
                send(DecoderMessageKind.ended.message())
            } catch {
                let failure =
                    error as? KinemaError ?? KinemaError(.unreadableInput, "cannot be decoded", file: request.source)
                send(DecoderMessageKind.failed.message(FailureMessage(failure)))
            }
        }

        private func read() throws {
            let diagnostics = DiagnosticCollector()
            var options = ReadingOptions()
            options.decodingThreads = request.decodingThreads
            options.limits = request.limits
            options.live.duration = request.duration.map { .seconds($0) }
            options.diagnostics = diagnostics
            options.memory = memory
            request.limits.limitAllocations()
            let input =
                request.isStandardInput
                ? MediaInput.standardInput : .file(URL(fileURLWithPath: request.source, isDirectory: false))
            let fault = DecoderFault.found(in: Descriptor.input)
            let container = try ContainerHandle(
                input, cancellation: CancellationFlag(), limits: options.limits,
                given: GivenFile(descriptor: Descriptor.input, scratch: Descriptor.scratch))
            let decoder = try VideoDecoder(input, container, options: options, cancellation: CancellationFlag())
            send(DecoderMessageKind.opened.message(DecodedStream(decoder.description)))
            var number = 0
            while let frame = try decoder.next() {
                wanted.wait()
                if let fault, fault.isDue(at: number) { fault.happen() }
                guard let picture = PictureMessage.describing(frame, number: number, in: memory) else {
                    throw KinemaError(
                        .unreadableInput,
                        "decoding needs more than \(request.limits.decoderMemory >> 20) MiB; reduce the picture size first",
                        file: request.source)
                }
                given.withLock { $0[number] = (frame, picture.copy) }
                send(DecoderMessageKind.picture.message(picture.message.payload))
                number += 1
            }
            for diagnostic in diagnostics.diagnostics { report(diagnostic) }
        }

        private func send(_ message: [UInt8]?) {
            guard let message, channel.send(message) else { _exit(ExitCode.done) }
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

    /// The last line of a file that asks for it, such as `kinema-fault crash 10`.
    var line: String { "\nkinema-fault \(kind.rawValue) \(picture)\n" }

    init(_ kind: Kind, before picture: Int) {
        (self.kind, self.picture) = (kind, picture)
    }

    /// Reads the line; nil for anything else.
    init?(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[0] == "kinema-fault", let kind = Kind(rawValue: String(words[1])),
            let picture = Int(words[2])
        else { return nil }
        self.init(kind, before: picture)
    }

    func isDue(at number: Int) -> Bool { number == picture }
}
