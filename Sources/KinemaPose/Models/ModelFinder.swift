import KinemaSampling
import Foundation
import KinemaCore
import KinemaMedia

/// Finds people with a chosen model: their boxes, the joints of one person in a box, or everyone's in the whole
/// picture.
struct ModelFinder: Sendable {
    /// The minimum score of a box in a picture; on COCO 0.15 gives the same average precision.
    private static let minimumPictureScore: Float = 0.08
    /// The minimum score of a box in video, where the pose model follows known people, and of everyone's joints.
    private static let minimumScore: Float = 0.15
    /// Among boxes that overlap by more than this, the best is kept (intersection over union; MMDetection's value).
    private static let overlap = 0.6

    let chosen: ChosenModel
    private let model: CompiledModelHandle

    /// Throws `.unreadableInput` when the model cannot be compiled.
    init(_ chosen: ChosenModel, store: ModelStore, precision: ModelStore.Precision) throws {
        self.chosen = chosen
        model = try store.model(chosen.description, precision: precision)
    }

    /// The boxes in pixels of the picture, best first.
    func boxes(in frame: VideoFrame) throws -> [DetectedBox] {
        guard case .boxes(let decode) = chosen.manifest.decoder.decode else { return [] }
        let mapping = InputMapping(input.fit, of: frame.size, in: input.size)
        let minimum = frame.isPicture ? Self.minimumPictureScore : Self.minimumScore
        let boxes = decode(try outputs(for: frame, mapping, minimumScore: minimum))
        return DetectedBox.suppress(boxes, overlap: Self.overlap).compactMap { found in
            let (low, high) = (
                mapping.picture(SIMD2(found.box.x, found.box.y)), mapping.picture(SIMD2(found.box.z, found.box.w))
            )
            return DetectedBox(box: SIMD4(low.x, low.y, high.x, high.y), score: found.score).clipped(to: frame.size)
        }
    }

    /// The joints in a person's box, in pixels of the picture.
    func joints(in frame: VideoFrame, _ box: SIMD4<Double>) throws -> DecodedJoints? {
        guard case .joints(let decode) = chosen.manifest.decoder.decode else { return nil }
        let mapping = InputMapping(box, padding: input.padding, in: input.size)
        return decode(try outputs(for: frame, mapping)).map { mapping.picture($0) }
    }

    /// Everyone's joints in the whole picture, in its pixels.
    func everyone(in frame: VideoFrame) throws -> [DecodedJoints] {
        guard case .people(let decode) = chosen.manifest.decoder.decode else { return [] }
        let mapping = InputMapping(input.fit, of: frame.size, in: input.size)
        return decode(try outputs(for: frame, mapping, minimumScore: Self.minimumScore)).map { mapping.picture($0) }
    }

    private var input: ModelManifest.Input { chosen.manifest.input }

    /// The model's outputs for a part of a frame, in the decoder's order.
    private func outputs(
        for frame: VideoFrame, _ mapping: InputMapping, minimumScore: Float = 0
    ) throws -> ModelDecoder.Outputs {
        let arrays = try model.withRequest { request in
            RegionSampler.sample(
                frame, mapping, into: request.input, width: input.width, height: input.height,
                border: .level(UInt8(input.border)))
            try request.infer()
            return request.outputs.map(\.array)
        }
        return .init(
            arrays: arrays, input: input, personClass: chosen.manifest.personClass, minimumScore: minimumScore)
    }
}

/// Finds people with a top-down model: boxes from a detector or from people's last positions, joints in each box.
struct TopDownFinder: Sendable {
    /// The object keypoint similarity above which two readings show one person; 0.5 gives 0.006 more precision than
    /// 0.7.
    static let sameness = 0.5
    /// The minimum confidence of a person; of 12 COCO pictures without people, 11 or 12 stay empty.
    static let minimumConfidence: Float = 0.145
    /// The confidence that a person needs in a frame without known people; otherwise nobody is there. On the 53 COCO
    /// pictures with people it costs 0.003 of average precision, and the 12 without people stay empty.
    static let minimumFirstConfidence: Float = 0.22
    /// The confidences of `PersonMatchWeights.strongScore` and `newcomerScore`. In a street of ten and more they follow 8.6
    /// people a frame, where its pictures show 9.4 one by one; 0.3 for both follows 5.4, and 0.16 for both changes more
    /// numbers in rendered crowds.
    static let tracked: (strong: Float, newcomer: Float) = (0.2, 0.16)
    /// Below this confidence the detector checks whether a person is still there.
    static let doubtfulConfidence: Float = 0.32
    /// The size of a person's box relative to the bounds of the joints.
    static let expansion = 1.2
    /// The maximum overlap of a detected box with that of a known person.
    static let overlap = 0.5
    /// The share of confidence that remains for a person whom the detector does not see.
    static let unseen: Float = 0.8

    private enum Detector {
        case chosen(ModelFinder)
        case builtIn(AnchorDetector)
    }

    private let detector: Detector
    private let pose: ModelFinder
    private let keys: [JointKey?]
    private let maximumPeople: Int

    init(_ options: ChosenModelOptions, store: ModelStore) throws {
        pose = try ModelFinder(options.model, store: store, precision: options.precision)
        keys = options.model.manifest.joints?.keys ?? []
        maximumPeople = options.maximumPeople
        if let detector = options.detector {
            self.detector = .chosen(try ModelFinder(detector, store: store, precision: options.precision))
        } else {
            detector = .builtIn(try .bodies(store: store, precision: options.precision))
        }
    }

    /// Everyone in a frame, most confident first; `known` holds the expected positions of people.
    func people(in frame: VideoFrame, known: [DetectedBox], searches: Bool) throws -> [ModelPose] {
        var boxes = known.compactMap { Self.expanded($0, in: frame.size) }
        var fresh: [DetectedBox] = []
        if searches {
            for index in boxes.indices { boxes[index].score *= Self.unseen }
            for found in try detect(in: frame) {
                let best = boxes.indices.max { boxes[$0].overlap(found) < boxes[$1].overlap(found) }
                guard let best, boxes[best].overlap(found) > Self.overlap else {
                    fresh.append(found)
                    continue
                }
                boxes[best].score = max(boxes[best].score, found.score)
            }
        }
        boxes += fresh
        let poses = try inferred(boxes, in: frame)
        if known.isEmpty, !poses.contains(where: { $0.confidence >= Self.minimumFirstConfidence }) { return [] }
        return ModelPose.suppress(
            poses.filter { $0.confidence >= Self.minimumConfidence }, limit: Self.sameness, count: maximumPeople)
    }

    private func inferred(_ boxes: [DetectedBox], in frame: VideoFrame) throws -> [ModelPose] {
        try parallel(boxes.count) { index in
            Result {
                try pose.joints(in: frame, boxes[index].box).map { joints in
                    var joints = joints
                    joints.personScore = boxes[index].score
                    return ModelPose(joints, keys)
                }
            }
        }.compactMap { try $0.get() }
    }

    private func detect(in frame: VideoFrame) throws -> [DetectedBox] {
        switch detector {
        case .chosen(let finder): return try finder.boxes(in: frame)
        case .builtIn(let anchors):
            let parts = frame.isPicture ? BodySearch.parts(of: frame.size, shares: BodySearch.shares) : []
            let found = try (parts.map(Optional.some) + [nil]).flatMap { try anchors.detect(in: frame, part: $0) }
            return DetectedBox.suppress(found.compactMap { Self.box(of: $0, in: frame.size) }, overlap: Self.overlap)
        }
    }

    /// The box around the circle of a body that the built-in detector found.
    private static func box(of detection: AnchorDetection, in size: SIMD2<Double>) -> DetectedBox? {
        let region = detection.bodyRegion
        guard region.isValid(for: size) else { return nil }
        let half = SIMD2(repeating: region.side / 2.5)
        return DetectedBox(center: region.center, half: half, score: detection.score)?.clipped(to: size)
    }

    private static func expanded(_ known: DetectedBox, in size: SIMD2<Double>) -> DetectedBox? {
        let box = known.box
        let half = SIMD2(box.z - box.x, box.w - box.y) / 2 * expansion
        return DetectedBox(center: SIMD2(box.x + box.z, box.y + box.w) / 2, half: half, score: known.score)?
            .clipped(to: size)
    }
}

/// Decides when a top-down model's detector runs: twice a second, and at once after a loss or a doubt.
struct DetectionSchedule: Sendable {
    /// The time between two detections while everyone is followed, seconds.
    static let interval: TimeInterval = 0.5
    /// The time between two detections after someone was lost, and for how long, seconds.
    static let urgent = (interval: 0.2, duration: 3.0)

    let every: Int?
    private var frames = 0
    private var lastTime: TimeInterval?
    private var lossTime: TimeInterval?
    private var isWanted = true

    init(every: Int?) { self.every = every }

    mutating func isDue(at time: TimeInterval) -> Bool {
        defer { frames += 1 }
        let isDue: Bool
        if let every {
            isDue = frames % max(1, every) == 0
        } else if let lastTime, time >= lastTime, !isWanted {
            let isUrgent = lossTime.map { time - $0 < Self.urgent.duration && time >= $0 } ?? false
            isDue = time - lastTime >= (isUrgent ? Self.urgent.interval : Self.interval) - 1e-6
        } else {
            isDue = true
        }
        if isDue { (lastTime, isWanted) = (time, false) }
        return isDue
    }

    mutating func record(inView: Int, lost: Bool, isDoubtful: Bool, searched: Bool, at time: TimeInterval) {
        if lost { lossTime = time }
        isWanted = inView == 0 || !searched && (lost || isDoubtful)
    }
}
