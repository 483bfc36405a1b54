import AsyncAlgorithms
import Foundation
import Kinema

// Create ML Components as apps that count and classify movements use it.

/// A screen that shows every frame with its poses and hands the poses on to a counter.
final class WorkoutScreen {
    private(set) var shown: [(image: CGImage, poses: [Pose])] = []
    private(set) var shownCount: Float = 0
    private(set) var rates: [String] = []
    private let extractor = HumanBodyPoseExtractor()
    private let stream = AsyncChannel<TemporalFeature<[Pose]>>()

    func run(_ frameSequence: VideoReader.AsyncFrames) async throws {
        let prediction = Task { try await self.predict() }
        var lastTime = CFAbsoluteTimeGetCurrent()
        for try await frame in frameSequence {
            let poses = try await extractor.applied(to: frame.feature)
            await stream.send(TemporalFeature(id: frame.id, feature: poses))
            if let cgImage = CIContext().createCGImage(frame.feature, from: frame.feature.extent) {
                shown.append((cgImage, poses))
            }
            rates.append(String(format: "%2.2f fps", 1 / (CFAbsoluteTimeGetCurrent() - lastTime)))
            lastTime = CFAbsoluteTimeGetCurrent()
        }
        stream.finish()
        try await prediction.value
    }

    private func predict() async throws {
        let poses = AnyTemporalSequence<[Pose]>(stream, count: nil)
        for try await item in try await RepetitionPipeline().count(poses) {
            shownCount = item.feature
        }
    }
}

/// A pipeline from frames to totals, which begins with the extractor and is read with an iterator of its own.
func jumpingJacks(in frameSequence: VideoReader.AsyncFrames) async throws -> Float {
    let counter = HumanBodyPoseExtractor()
        .appending(PoseSelector(strategy: .rightmostJointLocation))
        .appending(SlidingWindowTransformer<Pose>(stride: 15, length: 90))
        .appending(HumanBodyActionCounter())
    let totals = try await counter.applied(to: frameSequence)
    var iterator = totals.makeAsyncIterator()
    var last: Float = 0
    while let total = try await iterator.next() {
        last = total.feature
    }
    return last
}

/// How often two wrists are close, as a temporal transformer with a sequence of its own.
struct HandsTogetherTransformer: TemporalTransformer {
    typealias Input = [Pose]
    typealias Output = Int
    typealias OutputSequence = HandsTogetherTransformer.CountSequence

    let limit: CGFloat

    func applied<S>(
        to input: S, eventHandler: EventHandler?
    ) async throws -> CountSequence where S: TemporalSequence, S.Feature == [Pose] {
        var counts: [TemporalFeature<Int>] = []
        for try await window in input {
            let together = window.feature.filter { pose in
                guard let left = pose.keypoints[.leftWrist], let right = pose.keypoints[.rightWrist] else {
                    return false
                }
                return hypot(left.location.x - right.location.x, left.location.y - right.location.y) < limit
            }
            counts.append(TemporalFeature(id: window.id, feature: together.count))
        }
        return CountSequence(counts: counts)
    }

    struct CountSequence: TemporalSequence {
        typealias Feature = Int
        typealias Element = TemporalFeature<Int>

        fileprivate let counts: [TemporalFeature<Int>]
        var count: Int? { counts.count }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(left: counts[...]) }

        struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var left: ArraySlice<TemporalFeature<Int>>

            mutating func next() async throws -> TemporalFeature<Int>? { left.popFirst() }
        }
    }
}

/// Windows of wrists, counted by the transformer above.
struct HandsTogetherPipeline {
    let pipeline = Downsampler(factor: 1)
        .appending(PoseSelector(strategy: .maximumBoundingBoxArea))
        .appending(JointsSelector(selectedJoints: [.leftWrist, .rightWrist]))
        .appending(SlidingWindowTransformer<Pose>(stride: 30, length: 30))
        .appending(HandsTogetherTransformer(limit: 0.15))

    func count(_ poses: AnyTemporalSequence<[Pose]>) async throws -> HandsTogetherTransformer.CountSequence {
        try await pipeline(poses)
    }
}

/// A squat's poses, resampled to a classifier's window and written into a multiarray joint by joint.
struct SquatWindow {
    private enum State { case standing, squatting, unknown }

    private let requiredFrames = 60
    private var state = State.unknown
    private var buffer: [[Pose]] = []
    private(set) var windows: [MLMultiArray] = []

    init() {}

    mutating func take(_ poses: [Pose]) throws {
        guard let person = poses.first, let hip = person.keypoints[.leftHip]?.location,
            let knee = person.keypoints[.leftKnee]?.location, let ankle = person.keypoints[.leftAnkle]?.location,
            person.keypoints[.leftHip]?.confidence ?? 0 > 0.2
        else { return }
        let (thigh, shin) = (atan2(hip.y - knee.y, hip.x - knee.x), atan2(ankle.y - knee.y, ankle.x - knee.x))
        let turn = abs(thigh - shin) * 180 / .pi
        let angle = turn > 180 ? 360 - turn : turn
        switch state {
        case .standing where angle < 110:
            state = .squatting
        case .squatting where angle > 150:
            state = .standing
            windows.append(try makeInputArray(from: resample(buffer, to: requiredFrames)))
            buffer.removeAll()
        default:
            if state == .unknown && angle > 150 { state = .standing }
        }
        buffer.append(poses)
    }

    private func resample(_ poses: [[Pose]], to count: Int) -> [[Pose]] {
        let step = Double(poses.count - 1) / Double(max(count - 1, 1))
        return (0..<count).map { poses[Int(round(Double($0) * step))] }
    }

    private func makeInputArray(from window: [[Pose]]) throws -> MLMultiArray {
        let array = try MLMultiArray(shape: [requiredFrames as NSNumber, 3, 18], dataType: .float32)
        let order: [JointKey] = [
            .nose, .leftEye, .rightEye, .leftEar, .rightEar, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow,
            .leftWrist, .rightWrist, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
        ]
        for (t, poses) in window.enumerated() {
            guard let pose = poses.first else { continue }
            for (k, key) in order.enumerated() {
                let base = [NSNumber(value: t), 0, NSNumber(value: k)]
                if let joint = pose.keypoints[key] {
                    array[base] = Float(joint.location.x) as NSNumber
                    array[[NSNumber(value: t), 1, NSNumber(value: k)]] = NSNumber(value: Float(joint.location.y))
                    array[[NSNumber(value: t), 2, NSNumber(value: k)]] = NSNumber(value: joint.confidence)
                } else {
                    array[base] = 0
                }
            }
        }
        return array
    }
}
