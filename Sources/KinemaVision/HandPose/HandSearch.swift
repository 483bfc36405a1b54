import KinemaMedia

/// Searches a single picture for hands: also parts, a margin around it and doubtful palms. Verification reads each hand
/// from a slightly different region, where a real hand stays in the same position.
struct HandSearch: Sendable {
    /// The minimum score of a palm: half the minimum in video.
    static let threshold: Float = 0.25
    /// The minimum presence in both readings at a palm whose score is too low for video.
    static let doubtfulPresence: Float = 0.8
    /// The maximum overlap of a hand at such a palm with other hands.
    static let doubtfulOverlap = 0.1
    /// The mean landmark distance, in hand lengths, between two readings of one hand; larger for false detections.
    static let unsteadiness = 0.25
    /// The searched squares as shares of the picture's longer side; the larger finds hands that fill the picture.
    static let shares = [1, 1.6]
    /// The sizes of the parts searched for small hands.
    static let partShares = [0.6]

    let detector: AnchorDetector
    let landmarker: HandLandmarker

    /// The hands in the picture, largest first.
    func hands(in frame: VideoFrame, maximumCount: Int) throws -> [HandLandmarks] {
        let size = frame.size
        let wholes = Self.shares.map { Region(center: size / 2, side: $0 * size.max(), angle: 0) }
        var palms: [AnchorDetection] = []
        for part in wholes + BodySearch.parts(of: size, shares: Self.partShares) {
            palms += try detector.detect(in: frame, part: part, threshold: Self.threshold)
        }
        var found: [HandLandmarks] = []
        for palm in palms.sorted(by: { $0.score > $1.score }) {
            // A doubtful palm on a known hand is usually that hand read upside down.
            let isSure = palm.score >= AnchorDetector.threshold
            let maximumOverlap = isSure ? HandTrackManager.duplicateOverlap : Self.doubtfulOverlap
            func isKnown(_ region: Region) -> Bool {
                found.map(\.nextRegion).contains { known in
                    known.overlap(region) > maximumOverlap
                        || (known.center - region.center).length < 0.25 * max(known.side, region.side)
                }
            }
            guard !isKnown(palm.handRegion), let hand = try verify(palm, in: frame), !isKnown(hand.nextRegion) else {
                continue
            }
            found.append(hand)
        }
        return Array(found.sorted { $0.nextRegion.side > $1.nextRegion.side }.prefix(maximumCount))
    }

    /// Verifies a palm by a second reading from the region that the first one's landmarks give; nil without a hand.
    private func verify(_ palm: AnchorDetection, in frame: VideoFrame) throws -> HandLandmarks? {
        guard let first = try landmarker.hand(in: frame, palm.handRegion),
            let second = try landmarker.hand(in: frame, first.nextRegion)
        else { return nil }
        let isSure = palm.score >= AnchorDetector.threshold
        guard isSure || min(first.presence, second.presence) >= Self.doubtfulPresence else { return nil }
        let distance =
            zip(first.points, second.points).reduce(0) { $0 + ($1.0 - $1.1).length } / Double(HandLandmarks.count)
        return distance < Self.unsteadiness * second.length ? second : nil
    }
}
