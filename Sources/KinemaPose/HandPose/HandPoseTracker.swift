import KinemaSampling
import Foundation
package import KinemaCore
package import KinemaMedia

/// Tracks the hands of one stream: the landmark model follows known hands, the detector searches for missing ones.
package struct HandPoseTracker: StreamTracker {
    let options: HandPoseOptions
    private let mode: RunningMode
    private let detector: AnchorDetector
    private let landmarker: HandLandmarker
    private let knowsBodies: Bool
    private var manager = HandTrackManager()
    private var clock = SearchClock()
    private var schedule: HandSearchSchedule
    private var people: [Pose] = []

    /// Prepares the models; throws `.missingComponent`. With `knowsBodies`, hands are searched for at people's wrists.
    package init(
        options: HandPoseOptions, store: ModelStore = .shared, mode: RunningMode = .file, knowsBodies: Bool = false
    ) throws {
        (self.options, self.mode, self.knowsBodies) = (options, mode, knowsBodies)
        schedule = HandSearchSchedule(interval: options.searchInterval)
        Self.prepare(options, store: store)
        detector = try .palms(store: store, precision: options.precision)
        landmarker = try HandLandmarker(store: store, precision: options.precision)
    }

    /// Loads the models in parallel; errors are left to `init`.
    package static func prepare(_ options: HandPoseOptions, store: ModelStore) {
        store.prepare(ModelCatalogue.hands, precision: options.precision)
    }

    package mutating func update(_ frame: VideoFrame) throws -> [HumanHandPoseObservation] {
        try update(frame, people: [])
    }

    /// The hands in the stream's next frame; also searches around the wrists of people who are small in the picture.
    package mutating func update(_ frame: VideoFrame, people: [Pose]) throws -> [HumanHandPoseObservation] {
        clock.advance(to: frame)
        let parts = partsToSearch(of: frame)
        let palms = try follow(frame, searching: parts)
        if !manager.tracks.isEmpty { schedule.saw(at: clock.time) }
        if isAnyMissing { try findHands(in: frame, people, palms, hasSearched: !parts.isEmpty) }
        self.people = people
        let range = frame.timeRange
        let hands = options.readsCloseUp ? try closeUps(in: frame) : manager.tracks.map(\.hand)
        return zip(manager.tracks, hands).map { track, hand in
            HumanHandPoseObservation(
                hand.pose(id: track.id, width: frame.width, height: frame.height),
                chirality: track.rightness >= 0.5 ? .right : .left, timeRange: range)
        }
    }

    /// The parts of the stream's next frame to search, with people at their positions in the last one.
    private mutating func partsToSearch(of frame: VideoFrame) -> [Region] {
        // The thorough search of a single picture covers more.
        guard !isThorough(frame), isAnyMissing else { return [] }
        let whole = AnchorDetector.whole(of: frame)
        guard knowsBodies else {
            return schedule.takesWhole(at: clock.time, hasLost: !manager.lost.isEmpty) ? [whole] : []
        }
        return schedule.parts(
            whole: whole, wrists: wristsToSearch(of: people, in: frame), people: people.count,
            hasLost: !manager.lost.isEmpty, at: clock.time)
    }

    private var isAnyMissing: Bool { manager.tracks.count < options.maximumHandCount }

    /// Reads the tracked hands and searches parts of the frame at once; returns the palms found.
    private mutating func follow(_ frame: VideoFrame, searching parts: [Region]) throws -> [AnchorDetection] {
        let (regions, detector, landmarker) = (manager.tracks.map(\.hand.nextRegion), detector, landmarker)
        // A search takes longest, so it starts first.
        let found = try parallel(parts.count + regions.count) { index in
            Result { () throws -> (palms: [AnchorDetection], hand: HandLandmarks?) in
                guard index >= parts.count else { return (try detector.detect(in: frame, part: parts[index]), nil) }
                return ([], try landmarker.hand(in: frame, regions[index - parts.count]))
            }
        }.map { try $0.get() }
        StageTimes.measure(.track) {
            manager.update(with: found.dropFirst(parts.count).map(\.hand), at: frame.time)
        }
        return found.flatMap(\.palms)
    }

    /// The tracked hands read again from close up; a hand that is not seen there is unchanged.
    private func closeUps(in frame: VideoFrame) throws -> [HandLandmarks] {
        let (hands, landmarker) = (manager.tracks.map(\.hand), landmarker)
        return try parallel(hands.count) { index in
            Result { try landmarker.hand(in: frame, hands[index].closeUpRegion) ?? hands[index] }
        }.map { try $0.get() }
    }

    private func isThorough(_ frame: VideoFrame) -> Bool { mode == .picture || frame.isPicture }

    private mutating func findHands(
        in frame: VideoFrame, _ people: [Pose], _ palms: [AnchorDetection], hasSearched: Bool
    ) throws {
        try addHands(at: palms, in: frame)
        if isThorough(frame) {
            let search = HandSearch(detector: detector, landmarker: landmarker)
            for hand in try search.hands(in: frame, maximumCount: options.maximumHandCount) {
                manager.add(hand, at: frame.time)
            }
        } else if !knowsBodies, !hasSearched, schedule.takesWhole(at: clock.time, hasLost: !manager.lost.isEmpty) {
            // A hand was lost in this frame.
            try addHands(in: AnchorDetector.whole(of: frame), of: frame)
        }
        // The parts did not include the wrists of people who enter an empty picture.
        guard isThorough(frame) || self.people.isEmpty else { return }
        for part in wristsToSearch(of: people, in: frame) { try addHands(in: part, of: frame) }
    }

    private func wristsToSearch(of people: [Pose], in frame: VideoFrame) -> [Region] {
        people.flatMap { wristParts(of: $0, in: frame) }.filter { part in
            !manager.tracks.contains { ($0.hand.nextRegion.center - part.center).length < part.side / 2 }
        }
    }

    private mutating func addHands(in part: Region, of frame: VideoFrame) throws {
        guard isAnyMissing else { return }
        try addHands(at: detector.detect(in: frame, part: part), in: frame)
    }

    private mutating func addHands(at palms: [AnchorDetection], in frame: VideoFrame) throws {
        for region in palms.map(\.handRegion).sorted(by: { $0.side > $1.side }) {
            guard isAnyMissing else { return }
            guard !manager.isTracked(region), let hand = try landmarker.hand(in: frame, region),
                !manager.isTracked(hand)
            else { continue }
            manager.add(hand, at: frame.time)
        }
    }

    /// The squares to search around a person's wrists; none if the person is large enough in the whole picture.
    private func wristParts(of person: Pose, in frame: VideoFrame) -> [Region] {
        let size = frame.size
        func pixel(_ key: JointKey) -> SIMD2<Double>? {
            guard let joint = person.keypoints[key], joint.confidence >= 0.5 else { return nil }
            return SIMD2(joint.location.x, 1 - joint.location.y) * size
        }
        // The side is the torso's length, which stays long when the arm points at the camera.
        guard let neck = pixel(.neck), let root = pixel(.root) else { return [] }
        let side = (root - neck).length
        // The detector finds hands of a sixth of the whole picture, the size they have if the torso is half of it.
        guard side >= 24, side < 0.5 * size.max() else { return [] }
        return [(JointKey.leftElbow, JointKey.leftWrist), (.rightElbow, .rightWrist)].compactMap { elbow, wrist in
            guard let wrist = pixel(wrist) else { return nil }
            // The hand's centre is a third of the forearm beyond the wrist.
            let hand = pixel(elbow).map { wrist + (wrist - $0) / 3 } ?? wrist
            return Region(center: hand, side: side, angle: 0)
        }
    }
}

/// Decides when and where to search for hands that are not followed. Without bodies the whole picture is searched: in
/// every frame after a loss, else at an interval. With bodies, wrists are searched, or the whole picture if they are
/// large in it: all after a loss, else one per person, and more rarely while no hand is in view.
struct HandSearchSchedule: Sendable {
    /// The time after the last hand in view from which people count as showing none, in seconds.
    private static let patience: TimeInterval = 1
    /// The interval between searches of people who show no hands, in seconds.
    private static let restingInterval: TimeInterval = 1.0 / 3
    /// One search of the whole picture per this many of wrists: it shows the hands of people who are not found.
    private static let wristsPerWhole = 3

    /// The interval between searches of the whole picture, in seconds.
    let interval: TimeInterval
    private var lastSearch: TimeInterval?
    private var lastWhole: TimeInterval?
    private var lastInView = -TimeInterval.infinity
    private var turn = 0

    init(interval: TimeInterval) { self.interval = interval }

    mutating func saw(at time: TimeInterval) { lastInView = time }

    /// Whether to search the whole picture where no bodies are known; a search that is due counts as done.
    mutating func takesWhole(at time: TimeInterval, hasLost: Bool) -> Bool {
        guard let lastWhole, !hasLost, time - lastWhole < interval - 1e-6 else {
            self.lastWhole = time
            return true
        }
        return false
    }

    /// The parts to search where bodies are known: as many of the wrists without a followed hand as there are people.
    mutating func parts(
        whole: Region, wrists: [Region], people: Int, hasLost: Bool, at time: TimeInterval
    ) -> [Region] {
        if hasLost { return wrists.isEmpty ? [whole] : wrists }
        let showsHands = time - lastInView < Self.patience
        let step = people == 0 || showsHands ? interval : max(interval, Self.restingInterval)
        if let lastSearch, time - lastSearch < step - 1e-6 { return [] }
        lastSearch = time
        turn += 1
        guard !wrists.isEmpty, !turn.isMultiple(of: Self.wristsPerWhole + 1) else { return [whole] }
        let count = min(max(1, people), wrists.count)
        return (0..<count).map { wrists[(turn * count + $0) % wrists.count] }
    }
}
