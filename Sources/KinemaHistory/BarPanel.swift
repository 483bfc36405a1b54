import Foundation
import Kinema
import KinemaDraw

/// Bars over time: as wide as an event is long, as high as its measure.
struct BarPanel: SessionPanel {
    struct Bar {
        var start: Double
        var end: Double
        var index: Int
        /// From the bottom: each part's height and opacity.
        var parts: [(value: Double, strength: Double)]
        var faults: [FaultResult]
        var note: String?
        var person: Int

        init(
            _ start: Double, _ end: Double, _ index: Int, _ parts: [(value: Double, strength: Double)]? = nil,
            faults: [FaultResult] = [], note: String? = nil, person: Int = 0
        ) {
            (self.start, self.end, self.index, self.faults) = (start, end, index, faults)
            (self.parts, self.note, self.person) = (parts ?? [(end - start, 0.6)], note, person)
        }
    }

    let title: String
    let bars: [Bar]
    let height = 230.0

    static func depths(_ repetitions: [StoredSession.Repetition], _ isSeen: [Bool]) -> BarPanel {
        BarPanel(
            title: "depth, share of a full repetition; with faults in red",
            bars: repetitions.enumerated().compactMap { index, one in
                guard isSeen[index] else {
                    return Bar(one.start, one.end, index, [], note: "partly not visible", person: one.id)
                }
                return one.depth.map {
                    Bar(one.start, one.end, index, [($0, 0.6)], faults: one.faults, person: one.id)
                }
            })
    }

    static func ranges(_ measured: SetMeasurement) -> BarPanel {
        let joint = measured.joint.replacing(/[A-Z]/) { " " + $0.output.lowercased() }
        return BarPanel(
            title: "\(joint): range (degrees in the picture)",
            bars: measured.repetitions.enumerated().compactMap { index, one in
                one.range.map { Bar(one.start, one.end, index, [($0, 0.6)], person: one.id) }
            })
    }

    static func lengths(_ repetitions: [StoredSession.Repetition], _ isSeen: [Bool]) -> BarPanel {
        let hasTempo = repetitions.contains { $0.tempo != nil }
        return BarPanel(
            title: hasTempo ? "tempo (s): eccentric, pause, concentric from below" : "length of repetitions (s)",
            bars: repetitions.enumerated().map { index, one in
                // The length is always known; it replaces a missing tempo.
                let tempo =
                    !isSeen[index]
                    ? nil : one.tempo.map { [($0.eccentric, 0.75), ($0.pause, 0.2), ($0.concentric, 0.45)] }
                return Bar(one.start, one.end, index, tempo, person: one.id)
            })
    }

    static func corrections(_ repetitions: [CorrectedRepetition]) -> BarPanel {
        BarPanel(
            title: "repetitions as corrected (s)",
            bars: repetitions.enumerated().map { Bar($1.start, $1.end, $0, person: $1.id) })
    }

    static func holds(_ holds: [StoredSession.Hold]) -> BarPanel {
        BarPanel(
            title: "positions held (s); with faults in red",
            bars: holds.enumerated().map { Bar($1.start, $1.end, $0, faults: $1.faults, person: $1.id) })
    }

    static func speeds(_ tosses: [ThrowResult]) -> BarPanel {
        BarPanel(
            title: "speed (m/s), type, landing and points of throws",
            bars: tosses.enumerated().map { index, one in
                Bar(
                    one.start, one.end, index, [(one.speedMps, 0.6)],
                    note: "\(one.type), \(one.landing), \(one.score)")
            })
    }

    func draw(on canvas: Canvas, time: ChartScale, top: Double) {
        let frame = CGRect(x: time.from, y: top + 26, width: time.to - time.from, height: height - 50)
        let most = bars.map { $0.parts.reduce(0) { $0 + max(0, $1.value) } }.max() ?? 1
        let value = ChartScale(range: 0...max(most * 1.15, 0.1), from: frame.maxY, to: frame.minY)
        canvas.text(title, at: CGPoint(x: frame.minX, y: frame.minY - 8), size: 14, color: ChartPanel.ink)
        canvas.valueGrid(value, in: frame)
        for bar in bars { draw(bar, on: canvas, time: time, value: value) }
        canvas.axes(frame, width: 1.2)
    }

    private func draw(_ bar: Bar, on canvas: Canvas, time: ChartScale, value: ChartScale) {
        let (left, right) = (time.clamped(bar.start), max(time.clamped(bar.end), time.clamped(bar.start) + 3))
        let color = bar.faults.isEmpty ? Color.chart(bar.person) : Color.fault
        var sum = 0.0
        for part in bar.parts {
            let (low, high) = (value.clamped(sum), value.clamped(sum + max(0, part.value)))
            canvas.fill(
                CGRect(x: left + 1, y: high, width: max(right - left - 2, 1), height: low - high),
                color: color.faded(to: part.strength))
            sum += max(0, part.value)
        }
        let (middle, head) = ((left + right) / 2, value.clamped(sum))
        let number = "\(bar.index + 1)"
        if canvas.width(of: number, size: 13) < right - left {
            canvas.text(number, at: CGPoint(x: middle, y: head - 5), size: 13, color: color, alignment: .center)
        }
        let note = bar.note ?? bar.faults.map(\.title).joined(separator: ", ")
        if !note.isEmpty {
            // Vertical, so that it fits a bar of any width.
            canvas.text(
                note, at: CGPoint(x: middle + 4, y: value.from - 6), size: 12, color: ChartPanel.ink,
                bold: false, rotation: -.pi / 2)
        }
    }
}

/// The posture that represents a session in a list: that of the middle repetition at its turn.
package struct TurnSkeleton: Sendable, Equatable, Codable {
    /// The frame's width by its height.
    package var shape: Double
    /// x and y of each joint: 0...1, origin at the lower left.
    package var keypoints: [String: [Double]]

    /// Joints of the largest body model; damaged files may have more.
    private static let mostJoints = 40
    private static let nameLength = 30
    /// Joints outside the frame are estimated, at most one frame away.
    private static let places = -1.0...2
    private static let leastConfidence: Float = 0.2

    /// Whether every number is plausible.
    package var isValid: Bool {
        (0.1...10).contains(shape) && (1...Self.mostJoints).contains(keypoints.count)
            && keypoints.allSatisfy { name, point in
                name.count <= Self.nameLength && point.count == 2 && point.allSatisfy(Self.places.contains)
            }
    }
}

extension TurnSkeleton {
    /// The skeleton of a session from its poses; nil without any. Without repetitions it is taken from the middle.
    package init?(_ session: StoredSession) {
        guard let poses = session.poses else { return nil }
        let events =
            session.repetitions.map { (id: Optional($0.id), start: $0.start, end: $0.end) }
            + session.holds.map { (id: Optional($0.id), start: $0.start, end: $0.end) }
        let part =
            events.isEmpty
            ? (id: nil, start: session.duration / 2, end: session.duration / 2 + 1) : events[events.count / 2]
        let frames = Self.frames(of: poses, from: part.start, to: part.end)
        let bodies = frames.compactMap { frame -> (ExportedFrame, Pose)? in
            let pose = frame.poses.first { part.id == nil || part.id == 0 || $0.id == part.id } ?? frame.poses.first
            return pose.map { (frame, $0) }
        }
        guard let first = bodies.first?.1,
            let (frame, pose) = bodies.max(by: { Self.distance(first, $0.1) < Self.distance(first, $1.1) })
        else { return nil }
        shape = Self.rounded(Double(frame.width) / Double(max(1, frame.height)))
        keypoints = [:]
        for (name, joint) in pose.keypoints where joint.confidence >= Self.leastConfidence {
            keypoints[name.rawValue] = [Self.rounded(joint.location.x), Self.rounded(joint.location.y)]
        }
        guard isValid else { return nil }
    }

    private static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }

    /// The sum of the squared distances of the joints that both have.
    private static func distance(_ one: Pose, _ other: Pose) -> Double {
        one.keypoints.reduce(0) { sum, joint in
            guard let there = other.keypoints[joint.key]?.location else { return sum }
            let (x, y) = (joint.value.location.x - there.x, joint.value.location.y - there.y)
            return sum + x * x + y * y
        }
    }

    /// The frames of a part; only their lines are decoded.
    private static func frames(of poses: Data, from start: Double, to end: Double) -> [ExportedFrame] {
        var lines = Data()
        let key = Data(#""time":"#.utf8)
        for line in poses.split(separator: UInt8(ascii: "\n")) {
            guard let place = line.prefix(64).range(of: key),
                let time = Double(
                    String(decoding: line[place.upperBound...].prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)),
                start <= time
            else { continue }
            guard time <= end else { break }
            lines += line + Data("\n".utf8)
        }
        return (try? PoseLinesReader.frames(lines, file: "poses")) ?? []
    }
}
