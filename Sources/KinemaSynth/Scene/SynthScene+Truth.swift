internal import KinemaCore

extension SynthScene {
    static let joints = BodySkeleton.withFeet + [.leftIndexFinger, .rightIndexFinger]

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
            }, toss: tossTruth, flights: balls.isEmpty ? nil : flightTruth(),
            measurement: measurementTruth())
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
                    keypoints: keypoints, keypoints3D: space, box: silhouettes.box(of: figure.owner)?.map(rounded),
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
    private func rounded(_ value: Double) -> Double { (value * 100_000).rounded() / 100_000 }
}

private struct OcclusionTest {
    let solids: [Solid]
    let projected: [ProjectedSolid]
    let projection: Projection

    /// The depth by which a surface must precede a joint to hide it, in metres: more than the flesh around any joint.
    static let minimumGap = 0.16

    init(solids: [Solid], projection: Projection) {
        (self.solids, self.projection) = (solids, projection)
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

/// The ground truth of a rendered scene, as far as a camera could see it.
package struct Truth: Codable, Sendable, Equatable {
    /// One repetition, from the start posture back to it.
    package struct Repetition: Codable, Sendable, Equatable {
        /// The share of the full range from which a repetition counts.
        package static let countedDepth = 0.6

        /// The times of leaving the start posture and reaching it again, in seconds.
        package var start, end: Double
        package var exercise: String
        /// The share of the full range, 0...1.
        package var depth: Double
        /// Whether it counts: true for full and partial repetitions, false for failed ones.
        package var isCounted: Bool
        package var faults: [String] = []
    }

    package struct Interval: Codable, Sendable, Equatable {
        package var start, end: Double
    }

    /// The visibility of a joint, with the values of COCO's key points.
    package enum Visibility: Int, Codable, Sendable {
        case outOfPicture = 0
        /// In the picture, but behind something clearly in front of it.
        case occluded = 1
        case visible = 2
    }

    package struct Joint: Codable, Sendable, Equatable {
        /// Normalised, origin at the lower left; beyond 0...1 outside the picture.
        package var x, y: Double
        package var visibility: Visibility

        package init(x: Double, y: Double, visibility: Visibility) {
            (self.x, self.y, self.visibility) = (x, y, visibility)
        }

        package init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            x = try values.decode(Double.self)
            y = try values.decode(Double.self)
            visibility = try values.decode(Visibility.self)
        }

        package func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(x)
            try values.encode(y)
            try values.encode(visibility)
        }
    }

    package struct Frame: Codable, Sendable, Equatable {
        /// The joints in the picture by name; empty for people behind the camera and under a title card.
        package var keypoints: [String: Joint]
        /// The joints in metres from the middle of the hips: x to the picture's right, y up, z towards the camera.
        package var keypoints3D: [String: [Double]]
        /// The outline's box as x, y, width, height: normalised, origin at the lower left, with hidden parts; nil far
        /// outside.
        package var box: [Double]?
        /// The visible share of the outline, 0...1: reduced by people, objects and the picture's edge.
        package var visibleShare: Double?
        /// Whether too little can be seen to find the person.
        package var isHidden: Bool?
        /// The smallest visible share of a person who is not hidden.
        package static let hiddenShare = 0.25
    }

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

        package var count: Int { repetitions.count(where: \.isCounted) }
    }

    package var width, height: Int
    package var frameCount: Int
    package var frameRate: FrameRate
    /// The times of cuts from a title card or to another camera, in seconds.
    package var cuts: [Double]
    package var people: [Person]
    package var toss: Toss?
    package var flights: [FlightTruth]?
    package var measurement: Measurement?

    package var count: Int { people.reduce(0) { $0 + $1.count } }
}
