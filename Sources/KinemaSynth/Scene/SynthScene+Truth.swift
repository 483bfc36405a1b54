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
