import Foundation
import KinemaCore
public import KinemaMotion

/// One person's measured values; the JSON of `kinema measure`.
public struct MeasureResult: AnalysisResult, Hashable {
    /// The scale of the recording.
    public struct Scale: Codable, Sendable, Hashable {
        /// Metres per picture height.
        public var metresPerUnit: Double
        /// The spread over frames as a share (1.4826 median absolute deviations).
        public var spread: Double
        /// The frames used.
        public var frames: Int
        /// "standing", "segments" if the person never stood upright, or "given".
        public var method: String
    }

    /// The person's number; null if nobody was measured.
    @Nullable public var person: Int?
    /// The person's stated height, metres; null if the scale was given.
    @Nullable public var height: Double?
    /// The view of the person.
    public var view: MeasureView
    /// The direction of movement in the picture: "left", "right" or "none".
    public var direction: String
    /// The scale; null if none could be found.
    @Nullable public var scale: Scale?
    /// The floor; null if none could be found.
    @Nullable public var floor: FloorLine?
    /// The unit of each quantity.
    public var units: [String: String]
    /// Seconds, one for each value of a quantity.
    public var times: [Double]
    /// The courses, by the names of Sports2D for angles, and "position", "height", "speed" and "vertical speed".
    public var quantities: [String: MeasuredQuantity]
    /// Contacts, take-offs and other moments in order.
    public var events: [MeasureEvent]
    /// The findings of the tests.
    public var tests: MeasureTests
    /// What makes the values less sure, a sentence each.
    public var warnings: [String]

    init(person: Int?, height: Double?, _ found: BodyMeasurement?, warnings: [String]) {
        (self.person, self.height) = (person, height)
        (view, direction) = (found?.view ?? .oblique, found?.direction ?? "none")
        scale = found?.scale.map {
            Scale(
                metresPerUnit: $0.metresPerUnit.rounded(to: 5), spread: $0.spread.rounded(to: 5), frames: $0.frames,
                method: $0.method)
        }
        floor = found?.floor.map { FloorLine(angle: $0.angle.rounded(to: 3), height: $0.height.rounded(to: 5)) }
        times = (found?.times ?? []).map { $0.rounded(to: 5) }
        quantities = (found?.quantities ?? [:]).mapValues { quantity in
            var rounded = quantity
            rounded.values = quantity.values.map { $0?.rounded(to: quantity.unit == "deg" ? 2 : 4) }
            rounded.confidence = quantity.confidence.map { $0.rounded(to: 2) }
            return rounded
        }
        units = quantities.mapValues(\.unit)
        events = (found?.events ?? []).map { event in
            var event = event
            event.time = event.time.rounded(to: 4)
            return event
        }
        tests = found?.tests ?? MeasureTests()
        self.warnings = warnings + (found?.warnings ?? [])
    }

    /// One row per quantity and time, as statistics programs read them.
    public static var columns: [String] { ["time", "quantity", "value", "unit", "confidence"] }

    /// The values that are known.
    public var rows: [[String]] { quantities.keys.sorted().flatMap { name in rows(of: name) } }

    /// The rows of one quantity; empty for an unknown name.
    package func rows(of name: String) -> [[String]] {
        guard let quantity = quantities[name] else { return [] }
        return times.indices.compactMap { index in
            quantity.values[index].map {
                ["\(times[index])", name, "\($0)", quantity.unit, "\(quantity.confidence[index])"]
            }
        }
    }

    /// Scale, floor, tests, ranges and warnings.
    public func lines(_ run: AnalysisRun) -> [String] {
        guard let person else { return ["\(run.name): nobody measured in \(run.extent)"] }
        var lines = ["\(run.name): person \(person), view \(view.rawValue), in \(run.extent)"]
        if let scale {
            let spread =
                scale.frames > 0 ? ", \((100 * scale.spread).text(1)) % spread over \(scale.frames) frames" : ""
            lines.append("scale: \(scale.metresPerUnit.text(3)) m per picture height (\(scale.method)\(spread))")
        }
        if let floor {
            lines.append(
                "floor: \(floor.angle.text(1)) degrees, \((100 * floor.height).text(1)) % of the picture height")
        }
        lines += gaitLines + jumpLines + chairLines
        if let balance = tests.balance {
            lines.append(
                "balance: \(balance.duration.text(1)) s, path \(balance.path.text(3)) m, "
                    + "\((1000 * balance.velocity).text(1)) mm/s, range \((1000 * balance.range).text(0)) mm")
        }
        if let range = tests.range, !range.isEmpty {
            lines.append("range of motion, degrees:")
            lines += range.keys.sorted().map { name in
                "  \(name): \((range[name]?.minimum ?? 0).text(0)) to \((range[name]?.maximum ?? 0).text(0))"
            }
        }
        return lines + warnings.map { "note: \($0)" }
    }

    private var gaitLines: [String] {
        guard let gait = tests.gait else { return [] }
        let length = gait.stepLength.map { ", step \($0.mean.text(2)) m (\($0.spread.text(2)))" } ?? ""
        let stance = gait.stance.map { ", stance \((100 * $0.mean).text(0)) %" } ?? ""
        let symmetry = gait.symmetry.map { ", asymmetry \((100 * $0).text(0)) %" } ?? ""
        return [
            "gait: \(PlainText.counted(gait.steps.count, "step")), \(gait.cadence.text(0)) steps/min, "
                + "\(gait.speed.text(2)) m/s" + length + stance + symmetry
        ]
    }

    private var jumpLines: [String] {
        (tests.jumps ?? []).enumerated().map { index, jump in
            let rise = jump.heightByRise.map { ", rise \(($0 * 100).text(1)) cm" } ?? ""
            let knee = jump.kneeAtLanding.map { ", knee at landing \($0.text(0)) degrees" } ?? ""
            return "jump \(index + 1): \(jump.takeOff.text(2)) to \(jump.landing.text(2)) s, "
                + "\((jump.heightByTime * 100).text(1)) cm by flight time" + rise + knee
        }
    }

    private var chairLines: [String] {
        let chair = tests.sitToStand.map { test in
            "sit to stand: \(PlainText.counted(test.count, "rise"))"
                + (test.riseTime.map { ", \($0.mean.text(2)) s each" } ?? "")
                + (test.fiveTimes.map { ", five times in \($0.text(2)) s" } ?? "")
                + (test.thirtySeconds.map { ", \($0) in 30 s" } ?? "")
        }
        let upAndGo = tests.upAndGo.map { test in
            "up and go: \(test.total.text(2)) s (rise \(test.rise.text(2)), out \(test.walkOut.text(2)), "
                + "turn \(test.turn.text(2)), back \(test.walkBack.text(2)), sit \(test.sitDown.text(2)))"
        }
        return [chair, upAndGo].compactMap(\.self)
    }
}
