import Foundation
import KinemaCore

/// Counts over windows that may overlap: each frame once, the total never falling.
///
/// When the source changes or time goes back, as when a camera is exchanged, counting goes on from the total.
struct WindowedCounting: TemporalStep {
    private let aspectRatio: Double
    private var counter: RepetitionCounter
    private var total: Float = 0
    /// Repetitions of the sources before this one.
    private var before = 0
    private var source: String?
    private var counted: TimeInterval?

    init(aspectRatio: Double) {
        self.aspectRatio = aspectRatio
        counter = RepetitionCounter(aspectRatio: aspectRatio)
    }

    mutating func push(_ window: TemporalFeature<[Pose]>) -> TemporalFeature<Float>? {
        let span = window.id.rangeInSeconds
        if let source, source != window.id.source || span.upperBound < counted ?? span.upperBound { restart() }
        source = window.id.source
        let poses = window.feature
        let step = window.id.durationInSeconds / Double(max(poses.count, 1))
        // Frames up to the last window's end are known already.
        var known = 0
        if let counted, step > 0 {
            let new = Int(clamping: (span.upperBound - counted) / step)
            known = max(0, poses.count - min(max(new, 0), poses.count))
        }
        for index in min(known, poses.count)..<poses.count {
            _ = counter.append(poses[index], at: span.lowerBound + Double(index) * step)
        }
        counted = max(counted ?? span.upperBound, span.upperBound)
        // Less than a half for the repetition under way: rounded, the total is the number of finished ones.
        total = max(total, Float(before + counter.count) + 0.49 * counter.progress)
        return TemporalFeature(id: window.id, feature: total)
    }

    private mutating func restart() {
        _ = counter.finish()
        before += counter.count
        counter = RepetitionCounter(aspectRatio: aspectRatio)
        counted = nil
    }

    func outputCount(inputCount: Int) -> Int { inputCount }
}
