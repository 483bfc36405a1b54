import KinemaCore

/// What really happens in a rendered scene, as far as a camera could find it out.
package struct Truth: Codable, Sendable, Equatable {
    /// One run through an exercise, from the start posture back to it.
    package struct Repetition: Codable, Sendable, Equatable {
        /// From this share of the full range on a repetition counts.
        package static let countedDepth = 0.6
        /// Below this share it is a failed one; nothing is rendered in between, where people would disagree.
        package static let failedDepth = 0.4

        /// When the start posture is left, seconds.
        package var start: Double
        /// When the start posture is reached again, seconds.
        package var end: Double
        /// The exercise's name.
        package var exercise: String
        /// The share of the full range, 0...1.
        package var depth: Double
        /// Whether it counts: true for full and partial repetitions, false for failed ones.
        package var isCounted: Bool
        /// What is done wrong, by the coach's codes.
        package var faults: [String] = []
    }

    /// A stretch of time in seconds.
    package struct Interval: Codable, Sendable, Equatable {
        /// When it begins.
        package var start: Double
        /// When it ends.
        package var end: Double
    }

    /// How well a joint can be seen; the numbers are those of COCO's key points.
    package enum Visibility: Int, Codable, Sendable {
        /// Outside the picture.
        case outOfPicture = 0
        /// In the picture but behind something that lies clearly in front of it.
        case occluded = 1
        /// In view.
        case visible = 2
    }

    /// A joint in the picture.
    package struct Joint: Codable, Sendable, Equatable {
        /// Normalised, origin at the lower left; outside 0...1 beside the picture.
        package var x: Double
        /// Normalised, origin at the lower left; outside 0...1 beside the picture.
        package var y: Double
        /// Whether the joint can be seen.
        package var visibility: Visibility

        /// Makes a joint from its normalised place (origin at the lower left).
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
        /// The joints in the picture by name; empty behind the camera and under a title card.
        package var keypoints: [String: Joint]
        /// Metres from the middle of the hips: x to the picture's right, y up, z towards the camera.
        package var keypoints3D: [String: [Double]]
    }

    /// One person over the whole scene.
    package struct Person: Codable, Sendable, Equatable {
        /// The person's number.
        package var id: Int
        /// The exercises done, in order of first appearance.
        package var exercises: [String]
        /// Every repetition, failed ones included, in order.
        package var repetitions: [Repetition]
        /// When the person is hidden behind something or someone else although inside the picture.
        package var occlusions: [Interval]
        /// One entry a frame of the scene.
        package var frames: [Frame]

        /// How many repetitions count.
        package var count: Int { repetitions.count { $0.isCounted } }
    }

    /// The picture's columns.
    package var width: Int
    /// The picture's rows.
    package var height: Int
    /// How many frames there are.
    package var frameCount: Int
    /// How long each lasts.
    package var frameRate: FrameRate
    /// When the view changes, from a title card or to another camera, seconds.
    package var cuts: [Double]
    /// Everyone who appears.
    package var people: [Person]
    /// The game of bean-bag toss in it, if any.
    package var toss: Toss?
    /// What flies through the picture, if anything does.
    package var flights: [FlightTruth]?

    /// Everyone's repetitions that count, together.
    package var count: Int { people.reduce(0) { $0 + $1.count } }
}

/// What the scene knows about itself.
extension SynthScene {
    /// The joints the truth tells.
    static let joints: [JointKey] = [
        .nose, .leftEye, .rightEye, .leftEar, .rightEar, .neck, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow,
        .leftWrist, .rightWrist, .root, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle, .leftHeel,
        .rightHeel, .leftFootTip, .rightFootTip, .leftIndexFinger, .rightIndexFinger,
    ]

    /// The exact truth about every frame.
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

    /// Everyone in one frame, and whether each is hidden by something else.
    private func truth(at frame: Int) -> [(frame: Truth.Frame, isHidden: Bool)] {
        if isTitle(frame) { return people.map { _ in (Truth.Frame(keypoints: [:], keypoints3D: [:]), false) } }
        let time = frameRate.seconds(atFrame: frame)
        let projection = projection(at: frame)
        let figures = people.map { figure(of: $0, at: time) }
        let sight = Sight(solids: figures.flatMap(\.solids) + things, projection: projection)
        return figures.map { figure in
            var keypoints: [String: Truth.Joint] = [:]
            var space: [String: [Double]] = [:]
            var (seen, covered) = (0, 0)
            for key in SynthScene.joints {
                let place = figure.armature[key]
                guard let spot = projection.normalized(place) else { continue }
                var visibility = Truth.Visibility.outOfPicture
                if (0...1).contains(spot.x) && (0...1).contains(spot.y) {
                    let blocker = sight.blocker(of: place)
                    visibility = blocker == nil ? .visible : .occluded
                    seen += 1
                    if let blocker, blocker.owner != figure.owner { covered += 1 }
                }
                keypoints[key.rawValue] = Truth.Joint(x: rounded(spot.x), y: rounded(spot.y), visibility: visibility)
                let way = projection.seen(place) - projection.seen(figure.armature.root)
                space[key.rawValue] = [rounded(way.x), rounded(way.y), rounded(-way.z)]
            }
            // Hidden: of what lies in the picture at least four fifths are behind something else.
            return (Truth.Frame(keypoints: keypoints, keypoints3D: space), seen > 0 && covered * 5 >= seen * 4)
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

    /// To a hundred-thousandth, which keeps the files small: 0.01 mm, 0.04 pixels of a 4K picture.
    private func rounded(_ value: Double) -> Double {
        (value * 100_000).rounded() / 100_000
    }
}

/// Finds what lies between the camera and a point.
private struct Sight {
    let solids: [Solid]
    let seen: [SeenSolid]
    let projection: Projection

    /// How far in front of a joint a surface must lie to hide it: more than the flesh around any joint, metres.
    static let flesh = 0.16

    init(solids: [Solid], projection: Projection) {
        self.solids = solids
        self.projection = projection
        seen = solids.map { SeenSolid($0, projection) }
    }

    func blocker(of point: Vector) -> Solid? {
        let way = projection.seen(point)
        let column = Int(projection.centerX + projection.focal * way.x / way.z)
        let row = Int(projection.centerY - projection.focal * way.y / way.z)
        let (u, v) = (Float(way.x / way.z), Float(way.y / way.z))
        for (solid, view) in zip(solids, seen) where view.columns.contains(column) && view.rows.contains(row) {
            let depth = view.hit(u, v).depth
            if depth > 0, Double(depth) < way.z - Sight.flesh { return solid }
        }
        return nil
    }
}
