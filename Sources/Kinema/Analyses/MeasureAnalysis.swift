import Foundation
import KinemaCore
public import KinemaDraw
public import KinemaMotion

/// Measures one person in metres and degrees: joint angles, centre of mass, steps, jumps and ranges of motion.
public struct MeasureAnalysis: Analysis, PoseOnlyAnalysis {
    /// The person to measure.
    public enum Person: Sendable, Hashable {
        /// The person with a number.
        case number(Int)
        /// The person who is seen largest and longest.
        case largest
        /// The person farthest to the picture's left, of those seen for a fifth of the recording.
        case left
        /// The person farthest to the picture's right, of those seen for a fifth of the recording.
        case right
    }

    /// A length marked in the picture: points from 0 to 1 with the origin at the lower left.
    package struct MarkedLength: Sendable {
        package var from, to: CGPoint
        package var metres: Double

        package init(from: CGPoint, to: CGPoint, metres: Double) {
            (self.from, self.to, self.metres) = (from, to, metres)
        }
    }

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
    public let configuration: Configuration
    private var samples: [Int: [MeasuredTrack.Sample]] = [:]
    private var count = 0
    private var aspectRatio = 1.0
    private var newest: PosedFrame?
    private var finished: MeasureResult?
    /// The measurement of the whole recording, after `finish()`; nil if the person was not found.
    package private(set) var measurement: BodyMeasurement?

    /// Frames of all people together that are kept: those of one person for four hours at 30 frames a second.
    private static let mostSamples = 2 * MeasuredTrack.longest
    /// The share of the frames of the person seen longest in which a person counts for left and right.
    private static let leastShare = 0.2

    /// Creates an analysis that has not processed any frames.
    public init(_ configuration: Configuration) { self.configuration = configuration }

    /// The pipeline that detects people.
    public var pipeline: PosePipeline { configuration.pipeline }

    /// Processes the next frame; everything is measured at the end, so that there are no events.
    public mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        newest = frame
        aspectRatio = frame.frame.aspectRatio
        for pose in frame.poses where count < Self.mostSamples {
            count += 1
            samples[pose.id ?? 0, default: []].append(
                MeasuredTrack.Sample(pose, at: frame.frame.time, aspectRatio: aspectRatio))
        }
        return []
    }

    /// Ends the stream and measures.
    public mutating func finish() -> [AnalysisEvent] {
        let options = options
        measurement = chosen.flatMap { id in
            MeasuredTrack(samples[id] ?? [], aspectRatio: aspectRatio, confidence: options.confidence)
                .map { BodyMeasurement($0, options) }
        }
        finished = MeasureResult(
            person: measurement == nil ? nil : chosen, height: configuration.options.height, measurement,
            warnings: peopleWarnings)
        return []
    }

    /// The measured values; empty before `finish()`.
    public var result: MeasureResult {
        finished ?? MeasureResult(person: nil, height: configuration.options.height, nil, warnings: [])
    }

    /// The skeleton of everyone.
    public var layers: [OverlayLayer] { newest.map { [.skeletons($0.poses)] } ?? [] }

    /// The number of frames with a person, in words.
    public var summary: String { PlainText.counted(samples.values.map(\.count).max() ?? 0, "frame") }

    /// The numbers of everyone seen.
    package var people: [Int] { samples.keys.sorted() }

    /// The options, with what was marked in the picture.
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
            }.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
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
        if count >= Self.mostSamples { warnings.append("the recording is too long: only its beginning is measured") }
        return warnings
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
