import Foundation
package import KinemaCore
package import KinemaMedia

/// Tracks the people of one stream with a model that finds everyone in a frame.
package struct ModelTracker: StreamTracker {
    private struct Detections: Sendable {
        var poses: [Pose] = []
        /// For a top-down model, who is in the frame, in the order of `poses`.
        var people: [ModelPose] = []
        var searched = true

        init(_ poses: [Pose]) { self.poses = poses }

        init(_ people: [ModelPose], in frame: VideoFrame, searched: Bool = true) {
            poses = people.map { $0.pose(width: frame.width, height: frame.height) }
            (self.people, self.searched) = (people, searched)
        }
    }

    private enum Finder {
        case poseNet(PoseNetDetector)
        case oneStage(ModelFinder, maximumPeople: Int)
        case topDown(TopDownFinder)
    }

    private let finder: Finder
    private(set) var manager = PersonTrackManager()
    private(set) var shots = ShotBoundaryDetector()
    private var clock = SearchClock()
    private var schedule: DetectionSchedule
    /// Everyone in view, by number.
    private var inView: [Int: ModelPose] = [:]

    package init(options: PoseNetOptions, store: ModelStore = .shared) throws {
        finder = .poseNet(try PoseNetDetector(options: options, store: store))
        schedule = DetectionSchedule(every: 1)
    }

    package init(options: ChosenModelOptions, store: ModelStore = .shared) throws {
        (manager.weights.strongScore, manager.weights.newcomerScore) = TopDownFinder.tracked
        schedule = DetectionSchedule(every: options.detectEvery)
        if options.model.manifest.kind == .topDown {
            finder = .topDown(try TopDownFinder(options, store: store))
        } else {
            let finder = try ModelFinder(options.model, store: store, precision: options.precision)
            self.finder = .oneStage(finder, maximumPeople: options.maximumPeople)
        }
    }

    private mutating func detections(in frame: VideoFrame) throws -> Detections {
        switch finder {
        case .poseNet(let detector):
            let size = CGSize(width: detector.options.model.inputWidth, height: detector.options.model.inputHeight)
            return Detections(try detector.people(in: frame).map { $0.pose(inputSize: size) })
        case .oneStage(let finder, let count):
            let keys = finder.chosen.manifest.joints?.keys ?? []
            let all = try finder.everyone(in: frame).map { ModelPose($0, keys) }
                .filter { $0.confidence >= TopDownFinder.minimumConfidence }
            return Detections(ModelPose.suppress(all, limit: TopDownFinder.sameness, count: count), in: frame)
        case .topDown(let finder):
            let searches = frame.isPicture || schedule.isDue(at: frame.time)
            let seen = frame.isPicture ? [] : inView.sorted { $0.key < $1.key }.map(\.value)
            let known = seen.compactMap { one in one.box.map { DetectedBox(box: $0, score: one.personScore) } }
            let people = try finder.people(in: frame, known: known, searches: searches)
            return Detections(people, in: frame, searched: searches)
        }
    }

    package mutating func update(_ frame: VideoFrame) throws -> [Pose] {
        var detections = try detections(in: frame)
        if frame.isPicture {
            for index in detections.poses.indices { detections.poses[index].id = index + 1 }
            return detections.poses
        }
        clock.advance(to: frame)
        if StageTimes.measure(.track, { shots.isCut(frame, at: clock.time) }) {
            manager.resetAfterCut()
            inView = [:]
            // After a cut the search used the old positions.
            if !detections.searched, case .topDown(let finder) = finder {
                detections = Detections(try finder.people(in: frame, known: [], searches: true), in: frame)
            }
        }
        let known = Set(manager.tracks.map(\.id))
        var poses = detections.poses
        let numbers = StageTimes.measure(.track) {
            let bodies = poses.map { BodyLandmarks($0, width: frame.width, height: frame.height) }
            return manager.update(
                withDetections: bodies.map { .init(body: $0, appearance: Appearance(of: $0, in: frame)) },
                at: frame.time)
        }
        // Bodies of low score that match no known person are on no track.
        let followed = numbers.indices.compactMap { index in numbers[index].map { (id: $0, index: index) } }
            .sorted { $0.id < $1.id }
        inView = [:]
        for (id, index) in followed where detections.people.indices.contains(index) {
            inView[id] = detections.people[index]
        }
        schedule.record(
            inView: followed.count, lost: !known.isSubset(of: followed.map(\.id)),
            isDoubtful: inView.values.contains { $0.confidence < TopDownFinder.doubtfulConfidence },
            searched: detections.searched, at: frame.time)
        return followed.map { id, index in
            poses[index].id = id
            poses[index].shot = shots.count
            return poses[index]
        }
    }
}

/// The people in a few frames of an input, to choose between BlazePose and a top-down model.
package struct CrowdSurvey: Sendable {
    /// The minimum score of a detection. With PicoDet it gives a median of one person a frame in 208 recordings of one
    /// person, two in four, and the right number in seven of crowds.
    private static let minimumScore: Float = 0.5
    /// The number of people from which a top-down model is better; for still pictures it always is.
    package static let crowd = 3
    /// People are small if the longer side of the largest one's box is below this share of the frame's shorter side. In
    /// those recordings it is 0.37 or more; in four of them shrunk to 0.15, BlazePose counts 11 of 28 repetitions, the
    /// top-down pair 29.
    package static let smallSide = 0.3
    /// The positions in a recording that are surveyed, as shares of its length.
    package static let places = [0.1, 0.3, 0.5, 0.7, 0.9]

    /// The median number of people in a frame.
    package let people: Int
    /// Whether the largest person of the median frame is small.
    package let isSmall: Bool

    /// Whether a top-down model suits these people better.
    package var isCrowd: Bool { people >= Self.crowd || isSmall }

    /// Surveys frames with the detector of a top-down model; throws `.unreadableInput` for a model without one.
    package init(of frames: [VideoFrame], with options: ChosenModelOptions, store: ModelStore) throws {
        guard let detector = options.detector else { throw options.model.wrongKind("a person detector is needed") }
        let finder = try ModelFinder(detector, store: store, precision: options.precision)
        var counts: [Int] = []
        var sides: [Double] = []
        for frame in frames {
            let boxes = try finder.boxes(in: frame).filter { $0.score >= Self.minimumScore }
            counts.append(boxes.count)
            let longest = boxes.map { max($0.box.z - $0.box.x, $0.box.w - $0.box.y) }.max()
            if let longest { sides.append(longest / frame.size.min()) }
        }
        people = counts.sorted().dropFirst(counts.count / 2).first ?? 0
        isSmall = sides.sorted().dropFirst(sides.count / 2).first.map { $0 < Self.smallSide } ?? false
    }
}
