import Synchronization

/// The progress of a batch: its frames, the share done, and the time left.
final class BatchMeter: Sendable {
    @TaskLocal static var current: BatchMeter?

    private struct Work {
        var bytes: Int
        var frames = 0, share = 0.0
    }

    private struct State {
        var frames = 0, finished = 0, failed = 0, finishedBytes = 0
        var work: [String: Work] = [:]
    }

    private let total, totalBytes: Int
    private let started = ContinuousClock.now
    private let state = Mutex(State())

    init(videos: Int, bytes: Int) { (total, totalBytes) = (videos, bytes) }

    var frames: Int { state.withLock { $0.frames } }

    func begin(_ path: String, bytes: Int) { state.withLock { $0.work[path] = Work(bytes: bytes) } }

    func note(_ path: String, frames: Int, of expected: Int?) {
        state.withLock { state in
            guard var work = state.work[path] else { return }
            state.frames += max(0, frames - work.frames)
            work.frames = frames
            work.share = expected.map { min(1, Double(frames) / Double(max(1, $0))) } ?? 0
            state.work[path] = work
        }
        draw()
    }

    func end(_ path: String, failed: Bool, isFinished: Bool = true) {
        state.withLock { state in
            let work = state.work.removeValue(forKey: path)
            guard isFinished else { return }
            state.finishedBytes += work?.bytes ?? 0
            state.finished += 1
            state.failed += failed ? 1 : 0
        }
        draw()
    }

    private func draw() {
        let (finished, note) = state.withLock { state in
            let part = state.work.values.reduce(0.0) { $0 + $1.share * Double($1.bytes) }
            let share = (Double(state.finishedBytes) + part) / Double(max(1, totalBytes))
            let left = Self.left(share: share, after: ContinuousClock.now - started)
            let words = [left, state.failed > 0 ? "\(state.failed) failed" : nil].compactMap(\.self)
            return (state.finished, words.joined(separator: ", "))
        }
        Console.shared.bar(finished, of: total, note: note)
    }

    /// The time left, such as "3 min left", from the share of bytes done; nil at first.
    static func left(share: Double, after elapsed: Duration) -> String? {
        // The first seconds load the models.
        let seconds = elapsed / .seconds(1)
        guard seconds >= 3, share > 0.001, share < 1 else { return nil }
        let left = seconds * (1 - share) / share
        if left < 60 { return "\(Int(left.rounded(.up))) s left" }
        let minutes = Int((left / 60).rounded(.up))
        guard minutes >= 60 else { return "\(minutes) min left" }
        guard minutes < 48 * 60 else { return "\(minutes / (24 * 60)) days left" }
        return minutes % 60 == 0 ? "\(minutes / 60) h left" : "\(minutes / 60) h \(minutes % 60) min left"
    }
}

extension BatchMeter {
    /// Measures the analysed frames per second over some seconds; nil if cancelled.
    func rate() async -> Double? {
        do {
            // Loading models and opening the newest video take time only once.
            while frames == 0 { try await Task.sleep(for: .milliseconds(100)) }
            try await Task.sleep(for: .seconds(1))
            let (before, started) = (frames, ContinuousClock.now)
            try await Task.sleep(for: .seconds(4))
            return Double(frames - before) / ((ContinuousClock.now - started) / .seconds(1))
        } catch {
            return nil
        }
    }
}
