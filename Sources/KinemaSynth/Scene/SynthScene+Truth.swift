internal import KinemaCore

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
