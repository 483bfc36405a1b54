internal import Foundation
internal import KinemaCore

/// Reads a file or a stream that a process of its own decodes. Synchronous; for one thread.
final class IsolatedDecoder: FrameDecoding {
    let description: StreamDescription
    private let input: MediaInput
    private let process: DecoderProcess
    private let reports: Reports
    /// Through which the process reaches a stream, and nothing else.
    private let gate: StreamGate?
    /// Whether the whole input is there: a file, no pipe and no stream.
    private let isComplete: Bool
    private var asked = 0
    private var lastStart = -1
    private var lastTime: Double?
    private var isOver = false

    /// Starts the process and waits until it has decoded the first picture, so that unreadable input fails here.
    init(
        _ input: MediaInput, _ options: ReadingOptions, executable: String, cancellation: CancellationFlag,
        limits: DecoderLimits = DecoderLimits()
    ) throws {
        self.input = input
        var request = DecoderRequest(source: input.source, limits: options.limits)
        (request.decodingThreads, request.live) = (options.decodingThreads, options.live)
        request.decoding = options.decoding
        request.isStandardInput = input == .standardInput
        var file: GivenFile?
        if case .stream(let address) = input {
            let gate = try StreamGate(address, timeout: options.live.connectionTimeout, cancellation: cancellation)
            request.stream = gate.request
            self.gate = gate
        } else {
            gate = nil
            file = try GivenFile(input)
        }
        defer { file?.close() }
        isComplete = file?.isComplete == true
        process = try DecoderProcess(
            executable: executable, request, file: file, cancellation: cancellation, limits: limits)
        reports = Reports(options)
        var opened: StreamDescription?
        while opened == nil {
            let message = try process.receive(isComplete: isComplete)
            guard message.kind == .opened else {
                try Self.handle(message, process, gate, reports)
                continue
            }
            opened = try process.decode(DecodedStream.self, message).description(of: input, options.limits)
            if opened == nil { throw process.protocolViolation() }
        }
        guard let opened else { throw process.protocolViolation() }
        description = opened
    }

    /// Returns the next frame, or nil after the last one. Throws CancellationError when cancelled.
    func next() throws -> VideoFrame? {
        guard !isOver else { return nil }
        process.take(DecoderLimits.picturesAhead - asked)
        asked = DecoderLimits.picturesAhead
        while true {
            let message = try process.receive(at: lastTime, isComplete: isComplete)
            switch message.kind {
            case .picture:
                asked -= 1
                return try frame(message)
            case .ended:
                isOver = true
                process.end()
                return nil
            default: try Self.handle(message, process, gate, reports)
            }
        }
    }

    private func frame(_ message: DecoderChannelHandle.Message) throws -> VideoFrame {
        let (picture, described) = try process.picture(message)
        // Whatever the process says, time goes on.
        guard described.start > lastStart else { throw process.protocolViolation() }
        lastStart = described.start
        lastTime = Double(described.start) / Double(described.timescale)
        return VideoFrame(
            picture,
            id: TemporalSegmentIdentifier(
                source: input.source, range: described.start..<described.end, timescale: described.timescale))
    }

    /// Where findings and states go.
    private struct Reports {
        var diagnostics: DiagnosticCollector?
        var onState: (@Sendable (ConnectionState) -> Void)?

        init(_ options: ReadingOptions) {
            (diagnostics, onState) = (options.diagnostics, options.onState)
        }
    }

    /// Passes on what is no picture; throws what ends the reading.
    private static func handle(
        _ message: DecoderChannelHandle.Message, _ process: DecoderProcess, _ gate: StreamGate?, _ reports: Reports
    ) throws {
        switch message.kind {
        case .diagnostic: reports.diagnostics?.report(try process.decode(Diagnostic.self, message))
        case .state: reports.onState?(try process.decode(StateMessage.self, message).state)
        case .connect:
            guard let gate else { throw process.protocolViolation() }
            let answer = gate.connect(to: try process.decode(StreamRequest.self, message).address)
            process.send(DecoderMessageKind.connected.message(answer) ?? [])
        case .failed:
            let failure = try process.decode(FailureMessage.self, message).error
            throw gate?.explaining(failure) ?? failure
        default: throw process.protocolViolation()
        }
    }
}
