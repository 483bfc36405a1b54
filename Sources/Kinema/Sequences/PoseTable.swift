import Foundation
import KinemaCore
import KinemaMotion

/// People over time with their numbers, positions and perhaps times; takes a twentieth of the memory of `Pose` values.
struct PoseTable: Sendable {
    /// The unit of a file's positions.
    enum Places: Sendable {
        /// Shares of the picture from its lower left corner.
        case shares
        /// Pixels from the upper left corner, or shares of the picture if none exceeds `PoseSurvey.largestShare`.
        case pixels
        /// A length, x to the right and y up.
        case space
    }

    struct Person: Sendable {
        var id: Int?
        var confidence: Float = 1
        var start: Int
    }

    struct Frame: Sendable {
        /// The number, which orders the frames.
        var number: Int
        /// Seconds, if the file states them.
        var time: Double?
        /// The picture's size in pixels; 0 if the file does not state it.
        var width = 0, height = 0
        var people: [Person] = []
    }

    /// The joints of each person, in the order of the points; nil for points that Kinema has no joint for.
    let joints: [JointKey?]
    /// The order that the number of joints suggests; nil if they have names.
    let order: JointOrder?
    /// Whether third numbers may be depths rather than confidences.
    let hasRawThird: Bool
    var places: Places
    var frames: [Frame] = []
    /// x, y and confidence of each joint; 0 or NaN if it was not seen.
    var points: [SIMD3<Float>] = []
    /// The position of each point in space, in metres; empty if the file has only positions in the picture.
    private var positions: [SIMD3<Float>] = []
    let limits: PoseFileLimits
    private let file: String

    init(
        _ joints: [JointKey?], _ places: Places, order: JointOrder? = nil, hasRawThird: Bool = false,
        limits: PoseFileLimits, file: String
    ) {
        (self.joints, self.places, self.limits, self.file) = (joints, places, limits, file)
        (self.order, self.hasRawThird) = (order, hasRawThird)
    }

    /// The interpretation of the numbers; nil if the file names everything.
    var note: String?

    /// The column of the frames' times, whose unit is decided when the table is finished; nil if they are seconds.
    var times: TimeColumn?

    /// Whether the file states the time of each frame; known when it is finished.
    var statesTimes = false

    func broken(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: file) }

    mutating func append(_ frame: Frame) throws(KinemaError) {
        guard frames.count < limits.frames else { throw broken("has more than \(limits.frames) frames; split it") }
        if let time = frame.time, !time.isFinite { throw broken("frame \(frame.number) has the time \(time)") }
        guard (0...limits.side).contains(frame.width), (0...limits.side).contains(frame.height) else {
            throw broken("frame \(frame.number) has a size of \(frame.width) x \(frame.height) pixels")
        }
        frames.append(frame)
    }

    /// Adds a person to the frame at an index; `points` has x, y and confidence of each joint.
    mutating func append(
        _ points: [SIMD3<Float>], in space: [SIMD3<Float>] = [], id: Int?, confidence: Float = 1, to frame: Int
    ) throws(KinemaError) {
        guard points.count == joints.count, frames[frame].people.count < Self.maximumPeople else {
            throw broken("frame \(frames[frame].number) has more than \(Self.maximumPeople) people")
        }
        for point in points
        where abs(point.x) > PoseSequence.maximumCoordinate || abs(point.y) > PoseSequence.maximumCoordinate {
            throw broken("frame \(frames[frame].number) has the position \(point.x), \(point.y), which is invalid")
        }
        guard points.contains(where: { hasRawThird ? $0.isPlace : $0.isSeen }) else { return }
        let sure = confidence.isFinite ? min(1, max(0, confidence)) : 1
        frames[frame].people.append(Person(id: id, confidence: sure, start: self.points.count))
        self.points += points
        positions += space
    }

    /// Ten times the maximum of `kinema pose` in a picture.
    static let maximumPeople = 1000

    /// Gives everyone the number 1 if no frame has two people.
    mutating func setOnlyPerson() {
        guard frames.allSatisfy({ $0.people.count <= 1 }) else { return }
        for index in frames.indices where !frames[index].people.isEmpty { frames[index].people[0].id = 1 }
    }

    /// Turns the positions in space, and those in the picture with them.
    mutating func turn(_ turn: StandingAxis.Turn) {
        guard turn != .none, turn != .transposed else { return }
        for index in positions.indices {
            positions[index] = turn.applied(to: positions[index])
            (points[index].x, points[index].y) = (positions[index].x, positions[index].y)
        }
        add(turn.note)
    }

    mutating func numberFrames() { for index in frames.indices { frames[index].number = index } }

    /// A person's pose, with neck and root between shoulders and hips if the file lacks them.
    func pose(of person: Person) -> Pose {
        var keypoints: [JointKey: JointPoint] = Dictionary(minimumCapacity: joints.count + 2)
        var keypoints3D: [JointKey: JointPoint3D] = [:]
        for (index, key) in joints.enumerated() {
            let point = points[person.start + index]
            guard let key, point.isSeen, keypoints[key] == nil else { continue }
            keypoints[key] = JointPoint(
                key, location: CGPoint(x: Double(point.x), y: Double(point.y)), confidence: min(1, point.z))
            guard !positions.isEmpty else { continue }
            keypoints3D[key] = JointPoint3D(key, position: positions[person.start + index], confidence: min(1, point.z))
        }
        for (key, left, right) in [
            (JointKey.neck, JointKey.leftShoulder, JointKey.rightShoulder), (.root, .leftHip, .rightHip),
        ] where keypoints[key] == nil {
            guard let left = keypoints[left], let right = keypoints[right] else { continue }
            let location = CGPoint(
                x: (left.location.x + right.location.x) / 2, y: (left.location.y + right.location.y) / 2)
            keypoints[key] = JointPoint(key, location: location, confidence: min(left.confidence, right.confidence))
        }
        return Pose(from: keypoints, keypoints3D: keypoints3D, id: person.id, confidence: person.confidence)
    }
}

extension SIMD3<Float> {
    /// Whether the joint has a confidence and a position.
    var isSeen: Bool { z > 0 && x.isFinite && y.isFinite }
    /// Whether the joint has a position other than 0, 0.
    var isPlace: Bool { x.isFinite && y.isFinite && (x != 0 || y != 0) }
}
