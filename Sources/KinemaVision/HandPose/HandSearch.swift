import KinemaCore
import KinemaMedia

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
