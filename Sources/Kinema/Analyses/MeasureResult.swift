public import KinemaMeasuring
import Foundation
import KinemaCore

/// One person's measured values; the JSON of `kinema measure`.
public struct MeasureResult: AnalysisResult, Hashable {
    /// The scale of the recording.
    public struct Scale: Codable, Sendable, Hashable {
        /// Metres per picture height.
        public var metresPerUnit: Double
        /// The spread over frames as a share (1.4826 median absolute deviations).
        package var spread: Double
        /// The frames used.
        package var frames: Int
        /// "standing", "segments" if the person never stood upright, or "given".
        package var method: String
    }

    /// The person's number; null if nobody was measured.
    @Nullable public var person: Int?
    /// The person's stated height, metres; null if it was not stated.
    @Nullable package var height: Double?
    /// The view of the person.
    public var view: MeasureView
    /// The low-pass filter of positions as `--filter` states it: "butterworth:6", the cut-off in hertz, or "none".
    package var filter: String
    /// The direction of movement in the picture: "left", "right" or "none".
    package var direction: String
    /// The scale; null if none could be found.
    @Nullable public var scale: Scale?
    /// The floor; null if none could be found.
    @Nullable public var floor: FloorLine?
    /// The unit of each quantity.
    package var units: [String: String]
    /// Seconds, one for each value of a quantity.
    public var times: [Double]
    /// The time series: angles under Sports2D's names, the same with " velocity" in degrees per second, and "position",
    /// "mass position", "height", "speed" and "vertical speed".
    public var quantities: [String: MeasuredQuantity]
    /// Contacts, take-offs and other moments in order.
    public var events: [MeasureEvent]
    /// The findings of the tests.
    public var tests: MeasureTests
    /// The mean confidence of the joints behind each test that ran, by the test's name, 0...1. Ranges have their own.
    public var confidence: [String: Double]
    /// Reasons why the values are less certain, a sentence each.
    public var warnings: [String]

    init(person: Int?, _ options: MeasureOptions, _ found: BodyMeasurement?, warnings: [String]) {
        (self.person, height) = (person, options.height)
        filter =
            switch options.filter {
            case .none: "none"
            case .butterworth(let cutOff): "butterworth:\(Int(exactly: cutOff).map { "\($0)" } ?? "\(cutOff)")"
            }
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
            rounded.values = quantity.values.map { $0?.rounded(to: quantity.unit.hasPrefix("deg") ? 2 : 4) }
            rounded.confidence = quantity.confidence.map { $0.rounded(to: 2) }
            return rounded
        }
        units = quantities.mapValues(\.unit)
        events = (found?.events ?? []).map { event in
            var event = event
            (event.time, event.confidence) = (event.time.rounded(to: 4), event.confidence.rounded(to: 2))
            return event
        }
        tests = found?.tests ?? MeasureTests()
        self.warnings = warnings + (found?.warnings ?? [])
        confidence = [:]
        for test in Set(readings.compactMap(\.test)) {
            confidence[test.rawValue] = meanConfidence(of: Self.sources[test] ?? [])
        }
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
        lines += readings.map { "\($0.name): \($0.value)" + ($0.spread.map { " (\($0))" } ?? "") }
        if let range = tests.range, !range.isEmpty {
            lines.append("range of motion, degrees:")
            lines += range.sorted { $0.key < $1.key }.map { name, range in
                let seen = "(seen \((100 * range.seen).text(0)) %)"
                return "  \(name): \(range.minimum.text(0)) to \(range.maximum.text(0)) \(seen)"
            }
        }
        lines.append("filter: \(filter)")
        return lines + warnings.map { "note: \($0)" }
    }

    /// The quantities that give each test its confidence.
    private static let sources: [MeasureTest: [String]] = [
        .gait: ["position", "Left ankle", "Right ankle"], .jump: ["height"], .sitToStand: ["height"],
        .upAndGo: ["height"], .balance: ["height"], .barPath: ["bar height"],
        .sprint: ["position", "Left ankle", "Right ankle"],
    ]

    /// The mean confidence of the values that were seen of some quantities; nil if none was.
    func meanConfidence(of names: [String]) -> Double? {
        let all = names.flatMap { quantities[$0]?.confidence.filter { $0 > 0 } ?? [] }
        return all.isEmpty ? nil : (all.reduce(0, +) / Double(all.count)).rounded(to: 2)
    }

    /// A value in words, its spread, and the test that it is of.
    typealias Reading = (name: String, value: String, spread: String?, test: MeasureTest?)

    var readings: [Reading] {
        var all: [Reading] = []
        func add(_ name: String, _ value: String, _ spread: String? = nil, of test: MeasureTest? = nil) {
            all.append((name, value, spread, test))
        }
        func add(_ name: String, _ value: MeasureMean?, _ unit: String, of test: MeasureTest) {
            if let value { all.append((name, "\(value.mean.text(2)) \(unit)", value.spread.text(2), test)) }
        }
        if let scale {
            let spread = scale.frames > 0 ? "\((100 * scale.spread).text(1)) %" : nil
            add("scale", "\(scale.metresPerUnit.text(3)) m per picture height, \(scale.method)", spread)
        }
        if let floor {
            add("floor", "\(floor.angle.text(1)) degrees, \((100 * floor.height).text(1)) % of the picture height")
        }
        if let gait = tests.gait {
            let speed = gait.speed.map { "\($0.text(2)) m/s, " } ?? ""
            add("gait", speed + PlainText.counted(gait.steps.count, "step"), of: .gait)
            add("cadence", "\(gait.cadence.text(0)) steps/min", of: .gait)
            add("step length", gait.stepLength, "m", of: .gait)
            add("step time", gait.stepTime, "s", of: .gait)
            add("stance", gait.stance, "of a stride", of: .gait)
            if let share = gait.symmetry { add("asymmetry", "\((100 * share).text(0)) %", of: .gait) }
        }
        for (index, jump) in (tests.jumps ?? []).enumerated() {
            let rise = jump.heightByRise.map { ", \(($0 * 100).text(1)) cm by rise" } ?? ""
            let knee = jump.kneeAtLanding.map { ", knee at landing \($0.text(0)) degrees" } ?? ""
            let height = "\((jump.heightByTime * 100).text(1)) cm by flight time"
            add("jump \(index + 1) at \(jump.takeOff.text(2)) s", height + rise + knee, of: .jump)
        }
        if let test = tests.sitToStand {
            add("sit to stand, \(PlainText.counted(test.count, "rise"))", test.riseTime, "s", of: .sitToStand)
            if let time = test.fiveTimes { add("five times", "\(time.text(2)) s", of: .sitToStand) }
            if let count = test.thirtySeconds { add("in 30 s", "\(count)", of: .sitToStand) }
        }
        if let test = tests.upAndGo {
            let way = "out \(test.walkOut.text(2)), turn \(test.turn.text(2)), back \(test.walkBack.text(2))"
            let phases = "rise \(test.rise.text(2)), \(way), sit \(test.sitDown.text(2))"
            add("up and go", "\(test.total.text(2)) s (\(phases))", of: .upAndGo)
        }
        if let balance = tests.balance {
            let speed = "\((1000 * balance.velocity).text(1)) mm/s, range \((1000 * balance.range).text(0)) mm"
            let way = "path \(balance.path.text(3)) m, \(speed), ellipse \((10_000 * balance.area).text(1)) cm²"
            add("balance, \(balance.duration.text(1)) s", way, of: .balance)
        }
        if let start = tests.sprint {
            let angles = start.angles.keys.sorted().map { "\($0.lowercased()) \((start.angles[$0] ?? 0).text(0))" }
            let words = angles.isEmpty ? "no angles" : "\(angles.joined(separator: ", ")) degrees"
            add("sprint start at \(start.firstMovement.text(2)) s", words, of: .sprint)
            for (index, step) in start.steps.enumerated() {
                let off = "toe-off \(step.toeOff.text(2)) s at \(step.speed.text(2)) m/s"
                let way = "\(off), contact \(step.contact.text(2)) s, \(step.length.text(2)) m"
                add("step \(index + 1), \(step.side)", way, of: .sprint)
            }
        }
        for (index, lift) in (tests.barPath ?? []).enumerated() {
            let speeds = "mean \(lift.meanSpeed.text(2)), peak \(lift.peakSpeed.text(2)) m/s"
            let way = "\(lift.rise.text(2)) m up, \((100 * lift.drift).text(1)) cm sideways"
            add("lift \(index + 1) at \(lift.start.text(2)) s", "\(way), \(speeds)", of: .barPath)
        }
        return all
    }
}
