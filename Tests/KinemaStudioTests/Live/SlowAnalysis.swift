@testable import KinemaHistory
import KinemaHTTP
import Dispatch
import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import Synchronization
@testable import KinemaStudio

/// An analysis that finds nothing, or always the same, and takes its time.
struct SlowAnalysis: FrameAnalysing {
    /// Counts what it was given, for all who share it.
    final class Log: Sendable {
        private let entries = Mutex<[Double]>([])
        var times: [Double] { entries.withLock { $0 } }
        func add(_ time: Double) { entries.withLock { $0.append(time) } }
    }

    /// Seconds each frame takes.
    var pause = 0.02
    var log = Log()
    var findings = LiveFindings()

    mutating func take(_ frame: VideoFrame) throws -> LiveFindings {
        if pause > 0 { Thread.sleep(forTimeInterval: pause) }
        log.add(frame.time)
        return findings
    }

    func catchUp() {}
    func apply(_ command: DrawingCommand) {}
    func finish() -> [AnalysisEvent] { [] }
    func write(to json: inout JSONText) {}
    func summarise(_ session: inout StoredSession) {}
}

/// An analysis that holds on to its thread until it is let go.
struct HoldingAnalysis: FrameAnalysing {
    let began: SlowAnalysis.Log
    let end: DispatchSemaphore

    mutating func take(_ frame: VideoFrame) throws -> LiveFindings {
        began.add(frame.time)
        end.wait()
        return LiveFindings()
    }

    func catchUp() {}
    func apply(_ command: DrawingCommand) {}
    func finish() -> [AnalysisEvent] { [] }
    func write(to json: inout JSONText) {}
    func summarise(_ session: inout StoredSession) {}
}

extension LiveService {
    /// A service whose analysis only takes time.
    static func slow(
        _ configuration: LiveConfiguration = LiveConfiguration(), pause: TimeInterval = 0.02,
        log: SlowAnalysis.Log = SlowAnalysis.Log(), models: FairSemaphore = FairSemaphore(permits: 1)
    ) -> LiveService {
        LiveService(configuration, models: models) { _, _ in SlowAnalysis(pause: pause, log: log) }
    }
}

/// A history in memory.
final class StoredSessions: Sendable {
    private let sessions = Mutex<[StoredSession]>([])
    var all: [StoredSession] { sessions.withLock { $0 } }
    func add(_ session: StoredSession) -> Bool {
        sessions.withLock { $0.append(session) }
        return true
    }
}
