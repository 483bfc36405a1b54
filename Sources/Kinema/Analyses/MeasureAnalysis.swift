import KinemaMotion
import KinemaCounting
public import KinemaMeasuring
import Foundation
import KinemaCore
public import KinemaDraw

/// Measures one person in metres and degrees: joint angles, centre of mass, steps, jumps and ranges of motion.
public struct MeasureAnalysis: Analysis, PoseOnlyAnalysis {
    /// The person to measure.
    public enum Person: Sendable, Hashable {
        /// The person with a number.
        case number(Int)
        /// The person who appears largest and longest.
        case largest
        /// The person farthest to the left of the picture, among those seen for a fifth of the recording.
        case left
        /// The person farthest to the right of the picture, among those seen for a fifth of the recording.
        case right
    }

    /// A length marked in the picture: points from 0 to 1 with the origin at the lower left.
    package typealias MarkedLength = (from: CGPoint, to: CGPoint, metres: Double)

    /// The configuration of a measurement.
    public struct Configuration: Sendable {
        /// The person to measure.
        public var person = Person.largest
        /// What to measure and how.
        public var options: MeasureOptions
        /// The pipeline that finds people: 32-bit and without smoothing, which delays movements.
        public var pipeline = PosePipeline(options: BodyPoseOptions(precision: .counting), smooths: false)

        /// The scale, once the picture's aspect ratio is known; nil for that of `options`.
        package var marked: MarkedLength?
        /// The floor's heights at the picture's left and right edge, 0...1 from the lower edge; nil for that of `options`.
        package var floorHeights: (left: Double, right: Double)?

        /// Measures the largest person with these options.
        public init(_ options: MeasureOptions) { self.options = options }
    }

    /// The configuration.
    package let configuration: Configuration
    private var samples: [Int: [MeasuredTrack.Sample]] = [:]
    private var count = 0, aspectRatio = 1.0, isCut = false
    /// The last time before the first long gap, and the gap's length, in seconds; nothing after it is measured.
    package private(set) var gap: (time: TimeInterval, seconds: TimeInterval)?
    private var newest: PosedFrame?
    private var sides = SideContinuity()
    private var finished: MeasureResult?
    /// The measurement of the whole recording, after `finish()`; nil if the person was not found.
    package private(set) var measurement: BodyMeasurement?

    /// The maximum number of samples kept for all people together: one person for four hours at 30 frames a second.
    private static let mostSamples = 2 * MeasuredTrack.longest
    /// The longest time between two frames in seconds: camera dropouts and breaks between exercises are shorter, and an
    /// even time base over more would be mostly invented.
    private static let longestGap = 600.0
    /// The minimum number of frames for left and right, as a share of those of the person seen longest.
    private static let leastShare = 0.2

    /// Creates an analysis that has not processed any frames.
    public init(_ configuration: Configuration) { self.configuration = configuration }

    /// The pipeline that detects people.
    public var pipeline: PosePipeline { configuration.pipeline }

    /// Processes the next frame; everything is measured at the end, so there are no events.
    public mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        if gap == nil, let last = newest?.frame.time, frame.frame.time - last > Self.longestGap {
            gap = (last, frame.frame.time - last)
        }
        guard gap == nil else { return [] }
        newest = frame
        aspectRatio = frame.frame.aspectRatio
        let poses = sides.kept(frame.poses, at: frame.frame.time, aspectRatio: aspectRatio)
        for pose in poses where count < Self.mostSamples {
            count += 1
            samples[pose.id ?? 0, default: []].append(
                MeasuredTrack.Sample(pose, at: frame.frame.time, aspectRatio: aspectRatio))
        }
        return []
    }

    /// Ends the stream and measures.
    public mutating func finish() -> [AnalysisEvent] {
        let options = options
        let track = chosen.flatMap { id in
            MeasuredTrack(samples[id] ?? [], aspectRatio: aspectRatio, confidence: options.confidence)
        }
        isCut = track?.isCut ?? false
        measurement = track.map { BodyMeasurement($0, options) }
        finished = MeasureResult(
            person: measurement == nil ? nil : chosen, configuration.options, measurement, warnings: peopleWarnings)
        return []
    }

    /// The measured values; empty before `finish()`.
    public var result: MeasureResult {
        finished ?? MeasureResult(person: nil, configuration.options, nil, warnings: [])
    }

    /// The skeleton of everyone.
    public var layers: [OverlayLayer] { newest.map { [.skeletons($0.poses)] } ?? [] }

    /// The number of frames with a person, in words.
    public var summary: String { PlainText.counted(samples.values.map(\.count).max() ?? 0, "frame") }

    package var people: [Int] { samples.keys.sorted() }

    private var options: MeasureOptions {
        var options = configuration.options
        if let marked = configuration.marked {
            let way = SIMD2((marked.to.x - marked.from.x) * aspectRatio, marked.to.y - marked.from.y)
            options.metresPerUnit = marked.metres / (way * way).sum().squareRoot()
        }
        if let (left, right) = configuration.floorHeights {
            options.floor = FloorLine(angle: atan((right - left) / aspectRatio) * 180 / .pi, height: (left + right) / 2)
        }
        return options
    }

    private var chosen: Int? {
        let longest = samples.values.map(\.count).max() ?? 0
        let lasting = samples.filter { Double($0.value.count) >= Self.leastShare * Double(longest) }
        func key(_ rank: (MeasuredTrack.Sample) -> Float?, weighted: Bool = false) -> Int? {
            lasting.mapValues { rows in
                let ranks = rows.compactMap(rank)
                return ranks.median * (weighted ? Float(ranks.count) : 1)
            }.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        }
        return switch configuration.person {
        case .number(let number): samples[number] == nil ? nil : number
        case .largest: key(\.extent, weighted: true)
        case .left: key { $0.middle.map { -$0 } }
        case .right: key(\.middle)
        }
    }

    private var peopleWarnings: [String] {
        let others = samples.count - 1
        var warnings =
            others > 0 && configuration.person == .largest
            ? [
                "\(PlainText.counted(others, "other person", "other people")) in view: --person chooses among "
                    + people.prefix(10).map(String.init).joined(separator: ", ")
            ] : []
        if count >= Self.mostSamples || isCut {
            warnings.append("the recording is too long: only its beginning is measured")
        }
        if let note = sides.note { warnings.append(note) }
        if let gap {
            warnings.append("a gap of \(gap.seconds.text(0)) s at \(gap.time.text(1)) s: nothing after it is measured")
        }
        return warnings
    }
}

// MARK: - Drawing

extension MeasureAnalysis {
    /// Seconds around an event during which the drawing names it.
    private static let shown = 0.15

    /// The measured angles at a time in seconds, with the skeleton, the floor, the steps so far and events; empty
    /// outside the measured part.
    package func layers(at time: TimeInterval) -> [OverlayLayer] {
        guard let measurement, let index = measurement.index(at: time) else { return [] }
        func point(_ place: SIMD2<Double>) -> CGPoint { CGPoint(x: place.x / aspectRatio, y: place.y) }
        let angles = measurement.arms(at: index).map { arms -> MeasureOverlay.Angle in
            (
                Self.side(of: arms.name), arms.degrees, point(arms.joint), point(arms.joint + arms.zero),
                point(arms.joint + arms.limb)
            )
        }
        let floor = measurement.floor.map { floor in
            { (x: Double) in
                floor.height + tan(floor.angle * .pi / 180) * (x - 0.5) * aspectRatio
            }
        }
        let contacts = result.events.filter { $0.kind == .contact && $0.time <= time }
        let marks = contacts.compactMap { event -> MeasureOverlay.Mark? in
            guard let floor, let foot = measurement.foot(of: event).map(point) else { return nil }
            let step = result.tests.gait?.steps.first { abs($0.end - event.time) < 1e-3 && $0.side == event.side }
            let length = step?.length.map { "\($0.text(2)) m" }
            return (CGPoint(x: foot.x, y: floor(foot.x)), event.side ?? "", length ?? "")
        }
        let overlay = MeasureOverlay(
            angles, floor: floor.map { floor in [0, 1].map { CGPoint(x: $0, y: floor($0)) } } ?? [], marks: marks)
        let events = result.events.filter { abs($0.time - time) < Self.shown }.map { event in
            ([event.side, event.kind.rawValue].compactMap(\.self)).joined(separator: " ")
        }
        return [
            .skeletons([measurement.pose(at: index)]), .measure(overlay),
            .hud(HUD(lines: ["\(time.text(2)) s"] + events)),
        ]
    }

    /// "left", "right", or empty for angles of the trunk.
    package static func side(of name: String) -> String {
        ["Left ", "Right "].first { name.hasPrefix($0) }.map { $0.dropLast().lowercased() } ?? ""
    }
}

extension MeasuredTrack.Sample {
    /// The height of the person in the picture.
    fileprivate var extent: Float? {
        let known = values.filter { $0.y.isFinite }.map(\.y)
        return known.max().flatMap { high in known.min().map { high - $0 } }
    }

    /// The horizontal middle of the person.
    fileprivate var middle: Float? {
        let known = values.filter { $0.x.isFinite }.map(\.x)
        return known.isEmpty ? nil : known.median
    }
}
