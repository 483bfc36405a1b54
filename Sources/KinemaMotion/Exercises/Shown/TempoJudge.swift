import Foundation
import KinemaCore

/// Compares the tempo of the parts.
enum TempoJudge {
    /// The natural spread of a part's duration as a share of it.
    static let floor = 0.15
    /// The least ratio that is a finding, and how far outside the spread it lies.
    private static let (least, outside) = (1.4, 2.5)
    /// The least difference of a pause, seconds.
    private static let pause = 0.7

    static func faults(of course: RepetitionCourse, _ shown: ShownExercise) -> [(size: Double, fault: Fault)] {
        guard !course.isRolled else { return [] }
        let parts: [(words: String, measured: Double, part: ShownExercise.Part)] = [
            ("out", course.out, shown.out), ("back", course.back, shown.back),
        ]
        var found = parts.compactMap { one -> (size: Double, fault: Fault)? in
            let ratio = max(one.measured, 0.05) / max(one.part.mean, 0.05)
            let size = abs(one.measured - one.part.mean) / one.part.spread / outside * ShownReview.least
            guard max(ratio, 1 / ratio) >= least, size >= ShownReview.least else { return nil }
            let words = "\(one.words) \(max(ratio, 1 / ratio).text(1)) times as \(ratio < 1 ? "fast" : "slow") as shown"
            return (size, fault(ratio < 1 ? .tooFast : .tooSlow, one.measured, one.part, words, "\(one.words)"))
        }
        if found.count == 2, found[0].fault.code == found[1].fault.code {
            let (own, usual) = (course.out + course.back, shown.out.mean + shown.back.mean)
            let words = "\((max(own / usual, usual / own)).text(1)) times as \(own < usual ? "fast" : "slow") as shown"
            let part = ShownExercise.Part(mean: usual, spread: shown.out.spread + shown.back.spread)
            found = [(found[0].size, fault(found[0].fault.code, own, part, words, "whole"))]
        }
        let difference = course.pause - shown.pause.mean
        if abs(difference) > max(pause, outside * shown.pause.spread) {
            let words = "pause of \(course.pause.text(1)) s at the turn, shown \(shown.pause.mean.text(1)) s"
            found.append(
                (
                    abs(difference) / max(pause / outside, shown.pause.spread),
                    fault(difference < 0 ? .tooFast : .tooSlow, course.pause, shown.pause, words, "turn")
                ))
        }
        return found
    }

    private static func fault(
        _ code: FaultCode, _ measured: Double, _ part: ShownExercise.Part, _ words: String, _ phase: String
    ) -> Fault {
        Fault(
            code: code, joint: nil, joints: [], phase: phase, measured: measured, expected: part.mean,
            tolerance: outside * part.spread, unit: .seconds, words: words)
    }
}
