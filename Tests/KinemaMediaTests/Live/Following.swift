import Foundation
import KinemaCore
import Synchronization

@testable import KinemaMedia

/// Reads a live source and keeps what a test asks about: states, times, findings.
final class Following: Sendable {
    struct Seen {
        var states: [ConnectionState] = []
        var ids: [TemporalSegmentIdentifier] = []
    }

    private let seen = Mutex(Seen())
    let diagnostics = DiagnosticCollector()
    let argument: String
    let options: LiveOptions
    /// The input, where its address alone does not say all.
    let input: MediaInput?

    /// With `KINEMA_DECODE_APART` set, everything is read by the built command in a process of its own.
    static var isolation: DecoderIsolation {
        guard ProcessInfo.processInfo.environment["KINEMA_DECODE_APART"] != nil,
            let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        else { return .none }
        return .process(executable: URL(filePath: tests).deletingLastPathComponent().appending(path: "kinema").path)
    }

    /// Waits as briefly as a busy machine allows, on which a server may be silent for a second.
    static var quick: LiveOptions {
        var options = LiveOptions()
        options.connectionTimeout = .seconds(5)
        options.silenceTimeout = .seconds(3)
        options.frozenTimeout = nil
        options.longestPause = .milliseconds(200)
        return options
    }

    init(_ argument: String, _ options: LiveOptions = Following.quick) {
        (self.argument, self.options, input) = (argument, options, nil)
    }

    init(_ address: StreamAddress, _ options: LiveOptions = Following.quick) {
        (argument, self.options, input) = (address.description, options, .stream(address))
    }

    var states: [ConnectionState] { seen.withLock { $0.states } }
    var ids: [TemporalSegmentIdentifier] { seen.withLock { $0.ids } }
    var times: [Double] { ids.map(\.rangeInSeconds.lowerBound) }
    var reasons: [String] {
        states.compactMap { if case .reconnecting(let reason) = $0 { reason } else { nil } }
    }

    func open(_ input: MediaInput? = nil) async throws -> VideoReader.AsyncFrames {
        let input = try input ?? self.input ?? MediaInput(argument: argument)
        return try await VideoReader.read(
            input, isolation: Self.isolation, live: options, diagnostics: diagnostics
        ) { state in
            self.seen.withLock { $0.states.append(state) }
        }
    }

    /// Reads until told to stop, or to the end; returns the frames, whose tally is then final.
    @discardableResult
    func read(until isEnough: @escaping @Sendable (Following) throws -> Bool = { _ in false }) async throws
        -> VideoReader.AsyncFrames
    {
        let frames = try await open()
        for try await frame in frames {
            seen.withLock { $0.ids.append(frame.id) }
            if try isEnough(self) { break }
        }
        frames.stop()
        return frames
    }

    /// The error that reading ends with.
    func failure() async throws -> KinemaError? {
        do {
            try await read { $0.ids.count > 100 }
            return nil
        } catch let error as KinemaError {
            return error
        }
    }
}

extension FrameTally {
    /// Frames in = analysed + dropped.
    var isSettled: Bool { arrived == analysed + dropped }
}

extension Collection where Element: Comparable {
    var isStrictlyIncreasing: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
