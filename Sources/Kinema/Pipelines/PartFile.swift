import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia

/// An analysed part of a file, with the data to join it to the others, as JSON for other processes and machines.
struct PartFile: Codable, Sendable {
    /// Where each part of the file starts, in seconds; empty for a file that is better read whole.
    let starts: [TimeInterval]
    /// The size of the whole file, and a hash of its ends (`ContentDigest.fingerprint`).
    private var recording = ""
    /// The options of the analysis; parts with different options do not join.
    private var choices = ""
    private(set) var part = 0
    /// The names of the joints, to which the poses refer by index.
    private var joints: [JointKey] = []
    private var frames: [Frame] = []
    /// The people at the part's end.
    private var end = PersonMemory()

    private struct Frame: Codable {
        var begin, end, ticks, width, height, shot: Int
        var motion: SimilarityTransform?
        var newcomers: PersonMemory
        var poses, hands: [Body]
    }

    private struct Body: Codable {
        var id, shot: Int?
        var held: Bool
        var confidence: Float
        var image: CGSize?
        var side: HumanHandPoseObservation.Chirality?
        /// The joints' indices, their positions, and their confidences; then the same in metres.
        var keys: [Int], points: [Double], confidences: [Float]
        var keys3D: [Int], points3D: [Float], confidences3D: [Float]
    }

    /// The largest part in bytes: an hour of one person, or a minute of sixty.
    static let maximumSize = 1 << 29
    /// The greatest number of a person, a hand or a shot, and the greatest coordinate.
    private static let most = 1_000_000

    /// A file that is better read whole.
    init() { starts = [] }

    /// Analyses a part; throws CancellationError once `goesOn` returns false.
    init(_ part: Int, of analysis: PartAnalysis, while goesOn: () -> Bool) throws {
        (starts, self.part) = (analysis.plan.starts, part)
        recording = try ContentDigest.fingerprint(of: analysis.frames.url)
        choices = try Self.choices(of: analysis)
        var indices: [JointKey: Int] = [:]
        try analysis.run(part) { element in
            switch element {
            case .frame(let frame): frames.append(Self.coded(frame, &indices))
            case .end(let people): end = people
            }
            return goesOn()
        }
        guard goesOn() else { throw CancellationError() }
        joints = indices.sorted { $0.value < $1.value }.map(\.key)
    }

    /// Throws unless the bytes are a valid copy of this part of the file, divided and analysed in the same way.
    init(_ bytes: [UInt8], _ part: Int, of analysis: PartAnalysis) throws {
        self = try JSONDecoder().decode(PartFile.self, from: Data(bytes))
        guard starts == analysis.plan.starts, self.part == part, choices == (try Self.choices(of: analysis)),
            recording == (try ContentDigest.fingerprint(of: analysis.frames.url)), isSound(analysis)
        else { throw CocoaError(.fileReadCorruptFile) }
    }

    private func isSound(_ analysis: PartAnalysis) -> Bool {
        let sides = 1...ReadingLimits().side
        let times = analysis.plan.times(of: part, within: analysis.frames.duration)
        return frames.allSatisfy { frame in
            frame.ticks > 0 && frame.begin <= frame.end && sides.contains(frame.width) && sides.contains(frame.height)
                && (0...Self.most).contains(frame.shot)
                && times.contains(Double(frame.begin) / Double(frame.ticks))
                && times.contains(Double(frame.end) / Double(frame.ticks))
                && (frame.poses + frame.hands).allSatisfy(isSound)
        } && zip(frames, frames.dropFirst()).allSatisfy { $0.end <= $1.begin && $0.ticks == $1.ticks }
    }

    private func isSound(_ body: Body) -> Bool {
        let numbers = [body.id, body.shot].compactMap(\.self)
        return (body.keys + body.keys3D).allSatisfy(joints.indices.contains)
            && body.points.count == 2 * body.keys.count && body.confidences.count == body.keys.count
            && body.points3D.count == 3 * body.keys3D.count && body.confidences3D.count == body.keys3D.count
            && numbers.allSatisfy((0...Self.most).contains)
            && (body.points + body.points3D.map(Double.init)).allSatisfy { abs($0) <= Double(Self.most) }
    }

    private static func choices(of analysis: PartAnalysis) throws -> String {
        let pipeline = analysis.pipeline
        let bodies = pipeline.findsBodies ? "\(try pipeline.model.identity) \(pipeline.options)" : "no bodies"
        let hands = pipeline.hands.map { "\($0)" } ?? "no hands"
        let frames = "\(analysis.frames.orientation) \(analysis.frames.step.identity)"
        return "\(KinemaVersion.text) \(frames) \(bodies) \(hands)"
    }

    var bytes: [UInt8] { get throws { Array(try JSONEncoder.ordered.encode(self)) } }

    func elements(of video: VideoReader.AsyncFrames) -> [PartElement] {
        frames.map { .frame(decoded($0, video.url.path)) } + [.end(end)]
    }

    // MARK: Frames

    private static func coded(_ frame: PartFrame, _ indices: inout [JointKey: Int]) -> Frame {
        let picture = frame.posed.frame
        return Frame(
            begin: frame.start, end: frame.end, ticks: picture.id.timescale, width: picture.width,
            height: picture.height, shot: frame.shot, motion: frame.cameraMotion, newcomers: frame.newcomers,
            poses: frame.posed.poses.map { coded($0, nil, &indices) },
            hands: frame.posed.hands.map { coded($0.pose, $0.chirality, &indices) })
    }

    private static func coded(
        _ pose: Pose, _ side: HumanHandPoseObservation.Chirality?, _ indices: inout [JointKey: Int]
    ) -> Body {
        func index(_ key: JointKey) -> Int {
            if let known = indices[key] { return known }
            indices[key] = indices.count
            return indices.count - 1
        }
        let (flat, deep) = (Array(pose.keypoints.values), Array(pose.keypoints3D.values))
        return Body(
            id: pose.id, shot: pose.shot, held: pose.isHeld, confidence: pose.confidence, image: pose.imageSize,
            side: side, keys: flat.map { index($0.key) }, points: flat.flatMap { [$0.location.x, $0.location.y] },
            confidences: flat.map(\.confidence), keys3D: deep.map { index($0.key) },
            points3D: deep.flatMap { [$0.position.x, $0.position.y, $0.position.z] },
            confidences3D: deep.map(\.confidence))
    }

    private func decoded(_ frame: Frame, _ source: String) -> PartFrame {
        let id = TemporalSegmentIdentifier(source: source, range: frame.begin..<frame.end, timescale: frame.ticks)
        let picture = VideoFrame(width: frame.width, height: frame.height, id: id)
        let hands = frame.hands.map { HumanHandPoseObservation(pose($0), chirality: $0.side, timeRange: id.timeRange) }
        return PartFrame(
            posed: PosedFrame(frame: picture, poses: frame.poses.map(pose), hands: hands), shot: frame.shot,
            cameraMotion: frame.motion, newcomers: frame.newcomers)
    }

    private func pose(_ body: Body) -> Pose {
        var (flat, deep) = ([JointKey: JointPoint](), [JointKey: JointPoint3D]())
        for (index, key) in body.keys.enumerated() {
            let location = CGPoint(x: body.points[2 * index], y: body.points[2 * index + 1])
            flat[joints[key]] = JointPoint(joints[key], location: location, confidence: body.confidences[index])
        }
        for (index, key) in body.keys3D.enumerated() {
            let position = SIMD3(body.points3D[3 * index..<3 * index + 3])
            deep[joints[key]] = JointPoint3D(joints[key], position: position, confidence: body.confidences3D[index])
        }
        var pose = Pose(from: flat, keypoints3D: deep, id: body.id, confidence: body.confidence)
        (pose.shot, pose.isHeld, pose.imageSize) = (body.shot, body.held, body.image)
        return pose
    }
}

enum PartElement: Sendable {
    case frame(PartFrame)
    /// The people at the part's end.
    case end(PersonMemory)
}

/// A frame of a part, without its picture: unsmoothed people, numbered by the part's own tracker.
struct PartFrame: Sendable {
    var posed: PosedFrame
    /// The number of cuts before it, in its part.
    var shot: Int
    var cameraMotion: SimilarityTransform?
    /// The people first numbered in this frame.
    var newcomers: PersonMemory

    var start: Int { posed.frame.id.range.lowerBound }
    var end: Int { posed.frame.id.range.upperBound }
}
