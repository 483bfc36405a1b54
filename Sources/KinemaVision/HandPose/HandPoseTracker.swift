import Foundation
package import KinemaCore
package import KinemaMedia

/// Hands of one stream: landmarks follow the hands from frame to frame, the detector looks only when one may be missing.
package struct HandPoseTracker: StreamTracker {
    let options: HandPoseOptions
    private let looksOnce: Bool
    private let detector: HandDetector
    private let landmarker: HandLandmarker
    private var roster = HandRoster()
    private var lastSearch: TimeInterval?

    /// Prepares the models; throws `.missingComponent` when one is not installed.
    ///
    /// A tracker that looks once treats a video's frame as a picture by itself.
    package init(options: HandPoseOptions, store: ModelStore = .shared, looksOnce: Bool = false) throws {
        self.options = options
        self.looksOnce = looksOnce
        store.prepare(ModelCatalogue.hands, precision: options.precision)
        detector = try HandDetector(store: store, precision: options.precision)
        landmarker = try HandLandmarker(store: store, precision: options.precision)
    }

    /// The hands in the stream's next frame, by their numbers.
    package mutating func update(_ frame: VideoFrame) throws -> [HumanHandPoseObservation] {
        try update(frame, people: [])
    }

    /// The same, looking also around the wrists of people whose hands are too small in the whole picture.
    package mutating func update(_ frame: VideoFrame, people: [Pose]) throws -> [HumanHandPoseObservation] {
        roster.follow(try followed(in: frame), at: frame.time)
        if isSearchDue(at: frame.time) {
            lastSearch = frame.time
            try findHands(in: frame, people)
        }
        let range = frame.isPicture ? nil : frame.id.rangeInSeconds
        return roster.tracks.map { track in
            HumanHandPoseObservation(
                track.hand.pose(id: track.id, width: frame.width, height: frame.height),
                chirality: track.rightness >= 0.5 ? .right : .left, timeRange: range)
        }
    }

    /// What the hands that are followed look like now: all at once, for each has its own region.
    private func followed(in frame: VideoFrame) throws -> [HandLandmarks?] {
        let (regions, landmarker) = (roster.tracks.map(\.hand.next), landmarker)
        let looks = parallel(regions.count) { index in
            Result { try landmarker.hand(in: frame, regions[index]) }
        }
        return try looks.map { try $0.get() }
    }

    /// With all hands in view none is searched; with one just lost in every frame, else as often as the options say.
    private func isSearchDue(at time: TimeInterval) -> Bool {
        guard roster.tracks.count < options.maximumHandCount else { return false }
        guard let lastSearch, !roster.isMissingSomeone else { return true }
        return time - lastSearch >= options.searchInterval - 1e-6 || time < lastSearch
    }

    private mutating func findHands(in frame: VideoFrame, _ people: [Pose]) throws {
        if looksOnce || frame.isPicture {
            let search = HandSearch(detector: detector, landmarker: landmarker)
            for hand in try search.hands(in: frame, maximumCount: options.maximumHandCount) {
                roster.welcome(hand, at: frame.time)
            }
        } else {
            try welcomeHands(detector.detect(in: frame), in: frame)
        }
        for part in people.flatMap({ wristParts(of: $0, in: frame) }) {
            guard roster.tracks.count < options.maximumHandCount else { return }
            let isSeen = roster.tracks.contains { ($0.hand.next.center - part.center).length < part.side / 2 }
            if !isSeen { try welcomeHands(detector.detect(in: frame, part: part), in: frame) }
        }
    }

    private mutating func welcomeHands(_ palms: [AnchorDetection], in frame: VideoFrame) throws {
        for region in palms.map(\.handRegion).sorted(by: { $0.side > $1.side }) {
            guard roster.tracks.count < options.maximumHandCount else { return }
            guard !roster.isFollowed(region), let hand = try landmarker.hand(in: frame, region),
                !roster.isFollowed(hand.next)
            else { continue }
            roster.welcome(hand, at: frame.time)
        }
    }

    /// Squares around a person's wrists, of the size of the forearm, where that is small in the picture.
    private func wristParts(of person: Pose, in frame: VideoFrame) -> [Region] {
        let size = SIMD2(Double(frame.width), Double(frame.height))
        func pixel(_ key: JointKey) -> SIMD2<Double>? {
            guard let joint = person.keypoints[key], joint.confidence >= 0.5 else { return nil }
            return SIMD2(joint.location.x, 1 - joint.location.y) * size
        }
        // As long as the upper body, so that an arm that points at the camera has its square too.
        guard let neck = pixel(.neck), let root = pixel(.root) else { return [] }
        let side = (root - neck).length
        // The whole picture has shown hands of a sixth of it, which a torso of half the picture has.
        guard side >= 24, side < 0.5 * size.max() else { return [] }
        return [(JointKey.leftElbow, JointKey.leftWrist), (.rightElbow, .rightWrist)].compactMap { elbow, wrist in
            guard let wrist = pixel(wrist) else { return nil }
            // The hand lies a third of the forearm beyond the wrist.
            let hand = pixel(elbow).map { wrist + (wrist - $0) / 3 } ?? wrist
            return Region(center: hand, side: side, angle: 0)
        }
    }
}

/// Looks for hands in a picture by itself, longer than a frame of a video would be: from farther away, in parts, at
/// palms the detector is unsure of, and at each hand twice.
///
/// What is no hand is told by the second look: from a slightly different region a real hand comes out in the same place.
struct HandSearch: Sendable {
    /// Palms of less than this score are not looked at; half the least score in video.
    static let threshold: Float = 0.25
    /// A palm the detector would not have reported by itself needs a hand at least this likely in both looks.
    static let doubtfulPresence: Float = 0.8
    /// A hand found at such a palm may not overlap others by more than this.
    static let doubtfulOverlap = 0.1
    /// Two looks at a real hand differ by less than this mean landmark distance, in hand lengths.
    static let unsteadiness = 0.25
    /// The sizes of the squares that are searched as shares of the picture's longer side; a hand that fills the picture
    /// is found from farther away.
    static let shares = [1, 1.6]
    /// The sizes of the parts that are searched for small hands.
    static let partShares = [0.6]

    let detector: HandDetector
    let landmarker: HandLandmarker

    /// The hands in the picture, the largest first.
    func hands(in frame: VideoFrame, maximumCount: Int) throws -> [HandLandmarks] {
        let size = SIMD2(Double(frame.width), Double(frame.height))
        let wholes = Self.shares.map { Region(center: size / 2, side: $0 * size.max(), angle: 0) }
        var palms: [AnchorDetection] = []
        for part in wholes + BodySearch.parts(of: size, shares: Self.partShares) {
            palms += try detector.detect(in: frame, part: part, threshold: Self.threshold)
        }
        var found: [HandLandmarks] = []
        for palm in palms.sorted(by: { $0.score > $1.score }) {
            // What is found at a doubtful palm on a hand that is known is that hand again, read upside down.
            let room = palm.score >= AnchorDetector.threshold ? HandRoster.sameHand : Self.doubtfulOverlap
            func isKnown(_ region: Region) -> Bool {
                found.contains { hand in
                    let reach = 0.25 * max(hand.next.side, region.side)
                    return hand.next.overlap(region) > room || (hand.next.center - region.center).length < reach
                }
            }
            guard !isKnown(palm.handRegion), let hand = try examine(palm, in: frame), !isKnown(hand.next) else {
                continue
            }
            found.append(hand)
        }
        return Array(found.sorted { $0.next.side > $1.next.side }.prefix(maximumCount))
    }

    /// The hand at a palm, seen from its own landmarks' region; nil when there is none after all.
    private func examine(_ palm: AnchorDetection, in frame: VideoFrame) throws -> HandLandmarks? {
        guard let first = try landmarker.hand(in: frame, palm.handRegion),
            let second = try landmarker.hand(in: frame, first.next)
        else { return nil }
        let isSure = palm.score >= AnchorDetector.threshold
        guard isSure || min(first.presence, second.presence) >= Self.doubtfulPresence else { return nil }
        let distance =
            zip(first.points, second.points).reduce(0) { $0 + ($1.0 - $1.1).length } / Double(HandLandmarks.count)
        return distance < Self.unsteadiness * second.length ? second : nil
    }
}
