import KinemaCore

/// The ground truth of a rendered scene, as far as a camera could find it out.
package struct Truth: Codable, Sendable, Equatable {
    /// One repetition of an exercise, from the start posture back to it.
    package struct Repetition: Codable, Sendable, Equatable {
        /// The share of the full range from which a repetition counts.
        package static let countedDepth = 0.6

        /// When the person leaves the start posture, in seconds.
        package var start: Double
        /// When the person reaches the start posture again, in seconds.
        package var end: Double
        package var exercise: String
        /// The share of the full range, 0...1.
        package var depth: Double
        /// Whether it counts: true for full and partial repetitions, false for failed ones.
        package var isCounted: Bool
        /// The faults, by the coach's codes.
        package var faults: [String] = []
    }

    /// A time interval, in seconds.
    package struct Interval: Codable, Sendable, Equatable {
        package var start: Double
        package var end: Double
    }

    /// The visibility of a joint, with the values of COCO's key points.
    package enum Visibility: Int, Codable, Sendable {
        /// Outside the picture.
        case outOfPicture = 0
        /// In the picture, but behind something clearly in front of it.
        case occluded = 1
        /// In view.
        case visible = 2
    }

    /// A joint in the picture.
    package struct Joint: Codable, Sendable, Equatable {
        /// Normalised, origin at the lower left; beyond 0...1 outside the picture.
        package var x: Double
        /// Normalised, origin at the lower left; beyond 0...1 outside the picture.
        package var y: Double
        package var visibility: Visibility

        /// Makes a joint from its normalised position (origin at the lower left).
        package init(x: Double, y: Double, visibility: Visibility) {
            self.x = x
            self.y = y
            self.visibility = visibility
        }

        /// Reads `[x, y, visibility]`.
        package init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            x = try values.decode(Double.self)
            y = try values.decode(Double.self)
            visibility = try values.decode(Visibility.self)
        }

        /// Writes `[x, y, visibility]`.
        package func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(x)
            try values.encode(y)
            try values.encode(visibility)
        }
    }

    /// One person in one frame.
    package struct Frame: Codable, Sendable, Equatable {
        /// The joints in the picture by name; empty for people behind the camera and under a title card.
        package var keypoints: [String: Joint]
        /// The joints in metres from the middle of the hips: x to the picture's right, y up, z towards the camera.
        package var keypoints3D: [String: [Double]]
        /// The outline's box as x, y, width and height: normalised, origin at the lower left, hidden parts and parts
        /// beyond the picture's edge included; nil for people far outside the picture.
        package var box: [Double]?
        /// The share of the outline that can be seen, 0...1: less than 1 for people behind others, behind objects or
        /// partly outside the picture.
        package var visibleShare: Double?
        /// Whether so little can be seen that nobody can be asked to find the person.
        package var isHidden: Bool?
        /// The smallest visible share of a person who is not hidden.
        package static let hiddenShare = 0.25
    }

    /// One person over the whole scene.
    package struct Person: Codable, Sendable, Equatable {
        package var id: Int
        /// The person's exercises, in order of first appearance.
        package var exercises: [String]
        /// All repetitions in order, including failed ones.
        package var repetitions: [Repetition]
        /// The times at which something else hides the person inside the picture.
        package var occlusions: [Interval]
        /// One entry per frame of the scene.
        package var frames: [Frame]

        /// The number of repetitions that count.
        package var count: Int { repetitions.count { $0.isCounted } }
    }

    /// The width of the picture, in pixels.
    package var width: Int
    /// The height of the picture, in pixels.
    package var height: Int
    package var frameCount: Int
    package var frameRate: FrameRate
    /// The times of cuts from a title card or to another camera, in seconds.
    package var cuts: [Double]
    package var people: [Person]
    /// The game of bean-bag toss, if any.
    package var toss: Toss?
    /// The flights of balls, if any.
    package var flights: [FlightTruth]?

    /// The number of repetitions that count, of all people together.
    package var count: Int { people.reduce(0) { $0 + $1.count } }
}

/// Ground truth.
extension SynthScene {
    /// The joints in the truth.
    static let joints: [JointKey] = [
        .nose, .leftEye, .rightEye, .leftEar, .rightEar, .neck, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow,
        .leftWrist, .rightWrist, .root, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle, .leftHeel,
        .rightHeel, .leftFootTip, .rightFootTip, .leftIndexFinger, .rightIndexFinger,
    ]

    /// The exact truth about all frames.
    package func truth() -> Truth {
        var frames = [[Truth.Frame]](repeating: [], count: people.count)
        var hidden = [[Bool]](repeating: [], count: people.count)
        for frame in 0..<frameCount {
            for (index, entry) in truth(at: frame).enumerated() {
                frames[index].append(entry.frame)
                hidden[index].append(entry.isHidden)
            }
        }
        return Truth(
            width: settings.width, height: settings.height, frameCount: frameCount, frameRate: frameRate,
            cuts: ([title?.seconds].compactMap(\.self) + shots.dropFirst().map(\.start)).filter { $0 < duration },
            people: people.indices.map { index in
                let repetitions = repetitions(of: people[index])
                var names: [String] = []
                for repetition in repetitions where !names.contains(repetition.exercise) {
                    names.append(repetition.exercise)
                }
                return Truth.Person(
                    id: people[index].id, exercises: names, repetitions: repetitions,
                    occlusions: intervals(of: hidden[index]), frames: frames[index])
            }, toss: tossTruth, flights: balls.isEmpty ? nil : flightTruth())
    }

    /// The truth of all people in one frame, and whether something else hides each.
    private func truth(at frame: Int) -> [(frame: Truth.Frame, isHidden: Bool)] {
        if isTitle(frame) { return people.map { _ in (Truth.Frame(keypoints: [:], keypoints3D: [:]), false) } }
        let time = frameRate.seconds(atFrame: frame)
        let projection = projection(at: frame)
        let figures = people.map { figure(of: $0, at: time) }
        let solids = figures.flatMap(\.solids) + props
        let occlusion = OcclusionTest(solids: solids, projection: projection)
        let silhouettes = Silhouettes(of: solids, projection)
        return figures.map { figure in
            let visibleShare = silhouettes.outlines[figure.owner]?.visibleShare ?? 0
            var keypoints: [String: Truth.Joint] = [:]
            var space: [String: [Double]] = [:]
            var (inPicture, covered) = (0, 0)
            for key in SynthScene.joints {
                let joint = figure.armature[key]
                guard let image = projection.normalized(joint) else { continue }
                var visibility = Truth.Visibility.outOfPicture
                if (0...1).contains(image.x) && (0...1).contains(image.y) {
                    let occluder = occlusion.occluder(of: joint)
                    visibility = occluder == nil ? .visible : .occluded
                    inPicture += 1
                    if let occluder, occluder.owner != figure.owner { covered += 1 }
                }
                keypoints[key.rawValue] = Truth.Joint(x: rounded(image.x), y: rounded(image.y), visibility: visibility)
                let offset = projection.cameraSpace(joint) - projection.cameraSpace(figure.armature.root)
                space[key.rawValue] = [rounded(offset.x), rounded(offset.y), rounded(-offset.z)]
            }
            // A person is hidden if something else covers at least four fifths of the joints in the picture.
            return (
                Truth.Frame(
                    keypoints: keypoints, keypoints3D: space,
                    box: silhouettes.box(of: figure.owner)?.map(rounded),
                    visibleShare: rounded(visibleShare), isHidden: visibleShare < Truth.Frame.hiddenShare),
                inPicture > 0 && covered * 5 >= inPicture * 4
            )
        }
    }

    private func intervals(of flags: [Bool]) -> [Truth.Interval] {
        var found: [Truth.Interval] = []
        var start: Int?
        for (frame, flag) in (flags + [false]).enumerated() {
            if flag, start == nil { start = frame }
            if !flag, let first = start {
                found.append(
                    Truth.Interval(start: frameRate.seconds(atFrame: first), end: frameRate.seconds(atFrame: frame)))
                start = nil
            }
        }
        return found
    }

    /// Rounds to 5 decimals, which keeps the files small: 0.01 mm, 0.04 pixels of a 4K picture.
    private func rounded(_ value: Double) -> Double {
        (value * 100_000).rounded() / 100_000
    }
}

/// Finds the object between the camera and a point.
private struct OcclusionTest {
    let solids: [Solid]
    let projected: [ProjectedSolid]
    let projection: Projection

    /// How far in front of a joint a surface must be to hide it, in metres: more than the flesh around any joint.
    static let minimumGap = 0.16

    init(solids: [Solid], projection: Projection) {
        self.solids = solids
        self.projection = projection
        projected = solids.map { ProjectedSolid($0, projection) }
    }

    func occluder(of point: Vector) -> Solid? {
        let local = projection.cameraSpace(point)
        let column = Int(projection.centerX + projection.focal * local.x / local.z)
        let row = Int(projection.centerY - projection.focal * local.y / local.z)
        let (u, v) = (Float(local.x / local.z), Float(local.y / local.z))
        for (solid, view) in zip(solids, projected) where view.columns.contains(column) && view.rows.contains(row) {
            let depth = view.hit(u, v).depth
            if depth > 0, Double(depth) < local.z - OcclusionTest.minimumGap { return solid }
        }
        return nil
    }
}
