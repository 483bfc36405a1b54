package import Foundation
package import KinemaCore

/// Reads a file or a stream through a separate decoder process. Synchronous; for one thread.
final class IsolatedDecoder: FrameDecoding {
    let description: StreamDescription
    private let input: MediaInput
    private let process: DecoderProcess
    private let reports: Reports
    /// The process's only connection to its stream.
    private let gate: StreamGate?
    /// Whether the whole input is available: a file, not a pipe or a stream.
    private let isComplete: Bool
    private let ahead: Int
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
        (request.part, request.timing) = (options.part, options.timing)
        request.selection = options.selection
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
            executable: executable, request, file: file, cancellation: cancellation,
            limits: limits.waiting(for: options.selection.longestWait))
        reports = Reports(options)
        var message = try process.receive(isComplete: isComplete)
        while message.kind != .opened {
            try Self.handle(message, process, gate, reports)
            message = try process.receive(isComplete: isComplete)
        }
        description = try process.decode(StreamDescription.self, message)
        guard description.isPossible(within: options.limits) else { throw process.protocolViolation() }
        ahead = DecoderLimits.picturesAhead(description, isComplete: isComplete)
    }

    /// Returns the next frame, or nil after the last one. Throws CancellationError when cancelled.
    func next() throws -> VideoFrame? {
        guard !isOver else { return nil }
        if asked <= ahead / 2 {
            process.take(ahead - asked)
            asked = ahead
        }
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
        // Times must increase, whatever the process sends.
        guard described.start > lastStart else { throw process.protocolViolation() }
        lastStart = described.start
        lastTime = Double(described.start) / Double(described.timescale)
        return VideoFrame(
            picture,
            id: TemporalSegmentIdentifier(
                source: input.source, range: described.start..<described.end, timescale: described.timescale))
    }

    private struct Reports {
        var diagnostics: DiagnosticCollector?
        var onState: (@Sendable (ConnectionState) -> Void)?

        init(_ options: ReadingOptions) { (diagnostics, onState) = (options.diagnostics, options.onState) }
    }

    /// Handles a message that is not a picture; throws if it ends the reading.
    private static func handle(
        _ message: DecoderChannelHandle.Message, _ process: DecoderProcess, _ gate: StreamGate?, _ reports: Reports
    ) throws {
        switch message.kind {
        case .diagnostic: reports.diagnostics?.report(try process.decode(Diagnostic.self, message))
        case .state: reports.onState?(try process.decode(ConnectionState.self, message))
        case .connect:
            guard let gate else { throw process.protocolViolation() }
            let answer = gate.connect(to: try process.decode(StreamRequest.self, message).address)
            process.send(DecoderMessageKind.connected.message(json: answer) ?? [])
        case .failed:
            let failure = try process.decode(KinemaError.self, message)
            throw gate?.explaining(failure) ?? failure
        default: throw process.protocolViolation()
        }
    }
}

/// Decodes JPEG pictures that arrive one at a time, in this process or in a separate one, which is restarted if a
/// picture kills it. For one thread at a time.
package final class JPEGFrameDecoder {
    /// The decoder in this process; nil for a separate one.
    private let own: JPEGDecoder?
    private let executable: String
    private let width: Int
    private let height: Int
    private var process: DecoderProcess?
    private var deaths = 0

    /// The number of pictures that may kill their decoder; after that none is started.
    private static let mostDeaths = 5

    /// Makes a decoder for pictures up to a width and height in pixels; throws `.missingComponent` if FFmpeg has none.
    package init(_ isolation: DecoderIsolation, maximumWidth: Int, maximumHeight: Int) throws(KinemaError) {
        (width, height) = (maximumWidth, maximumHeight)
        switch isolation {
        case .none:
            executable = ""
            own = try JPEGDecoder(maximumWidth: maximumWidth, maximumHeight: maximumHeight)
        case .process(let path): (executable, own) = (path, nil)
        }
    }

    /// Decodes a picture into an upright frame; throws as `JPEGDecoder.frame` does.
    package func frame(_ jpeg: Data, id: TemporalSegmentIdentifier) throws(KinemaError) -> VideoFrame {
        if let own { return try own.frame(jpeg, id: id) }
        guard let header = JPEGHeader(jpeg) else { throw JPEGDecoder.noPicture }
        guard header.width <= width, header.height <= height else {
            throw .tooLarge(header.width, header.height, limit: (width, height))
        }
        guard deaths < Self.mostDeaths else { throw JPEGDecoder.damaged }
        do {
            return try decoded(jpeg, by: try started(), id)
        } catch let failure as PictureFailure {
            throw failure.error
        } catch {
            process = nil
            deaths += 1
            throw JPEGDecoder.damaged
        }
    }

    /// A picture that cannot be decoded; the process continues.
    private struct PictureFailure: Error {
        var error: KinemaError
    }

    private func decoded(
        _ jpeg: Data, by process: DecoderProcess, _ id: TemporalSegmentIdentifier
    ) throws -> VideoFrame {
        process.take(0)
        process.send(DecoderMessageKind.jpeg.message(Array(jpeg)))
        let message = try process.receive()
        switch message.kind {
        case .picture:
            let (picture, _) = try process.picture(message)
            guard picture.width <= max(width, height), picture.height <= max(width, height) else {
                throw process.protocolViolation()
            }
            return VideoFrame(picture, id: id)
        case .failed: throw PictureFailure(error: try process.decode(KinemaError.self, message))
        default: throw process.protocolViolation()
        }
    }

    private func started() throws(KinemaError) -> DecoderProcess {
        if let process { return process }
        var request = DecoderRequest(source: "pictures", limits: .untrusted)
        request.pictures = DecoderRequest.Size(width: width, height: height)
        let process = try DecoderProcess(executable: executable, request, file: nil, cancellation: CancellationFlag())
        self.process = process
        return process
    }
}
