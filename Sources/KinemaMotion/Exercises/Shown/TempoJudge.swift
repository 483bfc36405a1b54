import Foundation
import KinemaCore

/// Compares the tempo of the whole and of its parts.
enum TempoJudge {
    /// The natural spread of a duration as a share of it.
    static let floor = 0.15
    /// The least ratio that is a finding: of the whole, and of a part beyond that of the whole, which also depends on where
    /// the turn is found.
    private static let (whole, part) = (1.4, 1.7)
    /// The least difference of a pause, seconds, and in spreads.
    private static let (pause, outside) = (0.7, 2.5)

    static func faults(of course: RepetitionCourse, _ shown: ShownExercise) -> [(size: Double, fault: Fault)] {
        guard !course.isRolled else { return [] }
        let usual = shown.out.mean + shown.pause.mean + shown.back.mean
        let spread = [shown.out, shown.pause, shown.back].reduce(0) { $0 + $1.spread * $1.spread }.squareRoot()
        let total = (course.end - course.start) / max(usual, 0.05)
        let all = ShownExercise.Part(mean: usual, spread: spread)
        if let found = finding("", course.end - course.start, all, beyond: 1, least: whole, "whole") { return [found] }
        let parts = [("out ", course.out, shown.out, "out"), ("back ", course.back, shown.back, "back")]
        var found = parts.compactMap { finding($0.0, $0.1, $0.2, beyond: total, least: part, $0.3) }
        let difference = course.pause - shown.pause.mean
        if abs(difference) > max(pause, outside * shown.pause.spread) {
            let words = "pause of \(course.pause.text(1)) s at the turn, shown \(shown.pause.mean.text(1)) s"
            let code = difference < 0 ? FaultCode.tooFast : .tooSlow
            found.append(
                (
                    abs(difference) / max(pause / outside, shown.pause.spread),
                    fault(code, course.pause, shown.pause, words, "turn")
                ))
        }
        return found
    }

    private static func finding(
        _ name: String, _ measured: Double, _ part: ShownExercise.Part, beyond total: Double, least: Double,
        _ phase: String
    ) -> (size: Double, fault: Fault)? {
        let ratio = max(measured, 0.05) / max(part.mean, 0.05)
        let size = abs(log(ratio / total)) / max(floor, part.spread / max(part.mean, 0.05))
        guard max(ratio / total, total / ratio) >= least, max(ratio, 1 / ratio) >= least, size >= ShownReview.least
        else {
            return nil
        }
        let isFast = ratio < 1
        let words = "\(name)\(max(ratio, 1 / ratio).text(1)) times as \(isFast ? "fast" : "slow") as shown"
        return (size, fault(isFast ? .tooFast : .tooSlow, measured, part, words, phase))
    }

    private static func fault(
        _ code: FaultCode, _ measured: Double, _ part: ShownExercise.Part, _ words: String, _ phase: String
    ) -> Fault {
        Fault(
            code: code, joint: nil, joints: [], phase: phase, measured: measured, expected: part.mean,
            tolerance: outside * part.spread, unit: .seconds, words: words)
    }
}
