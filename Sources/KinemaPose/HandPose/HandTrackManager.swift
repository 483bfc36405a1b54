import KinemaSampling
import Foundation
import KinemaCore
import KinemaMedia

struct HandTrackManager: Sendable {
    /// Two regions that overlap by more than this are the same hand; MediaPipe's value.
    static let duplicateOverlap = 0.5
    /// The memory of a lost hand, in seconds.
    static let memory: TimeInterval = 1
    /// The time over which the model's handedness is averaged, in seconds: longer than a few blurred frames.
    static let handednessAveraging: TimeInterval = 0.5

    struct Track: Sendable {
        let id: Int
        var hand: HandLandmarks
        var rightness: Float
        var time: TimeInterval

        mutating func update(with hand: HandLandmarks, at time: TimeInterval) {
            let share = Float(min(1, max(0, time - self.time) / HandTrackManager.handednessAveraging))
            rightness += (hand.rightness - rightness) * share
            (self.hand, self.time) = (hand, time)
        }
    }

    private(set) var tracks: [Track] = []
    private(set) var lost: [Track] = []
    private var lastID = 0

    /// Updates the tracks from one hand per track, in the order of `tracks`; nil for a hand not found.
    mutating func update(with hands: [HandLandmarks?], at time: TimeInterval) {
        var found: [Track] = []
        for (index, hand) in hands.enumerated() {
            var track = tracks[index]
            if let hand {
                track.update(with: hand, at: time)
                guard let duplicate = found.firstIndex(where: { $0.hand.isSameHand(as: hand) }) else {
                    found.append(track)
                    continue
                }
                // Of two tracks on one hand, the one with the higher presence continues.
                if found[duplicate].hand.presence < hand.presence { swap(&found[duplicate], &track) }
            }
            lost.append(track)
        }
        tracks = found
        lost.removeAll { time - $0.time > Self.memory || time < $0.time }
    }

    func isTracked(_ region: Region) -> Bool {
        tracks.contains {
            $0.hand.nextRegion.overlap(region) > Self.duplicateOverlap
                || $0.hand.region.overlap(region) > Self.duplicateOverlap
        }
    }

    func isTracked(_ hand: HandLandmarks) -> Bool {
        isTracked(hand.nextRegion) || tracks.contains { $0.hand.isSameHand(as: hand) }
    }

    /// Adds a newly found hand as a lost one that has returned or as a new one.
    mutating func add(_ hand: HandLandmarks, at time: TimeInterval) {
        let costs = lost.map { cost(of: hand, as: $0, at: time) }
        if let best = costs.indices.min(by: { costs[$0] < costs[$1] }), costs[best] < 1 {
            var track = lost.remove(at: best)
            track.update(with: hand, at: time)
            tracks.append(track)
        } else {
            lastID += 1
            tracks.append(Track(id: lastID, hand: hand, rightness: hand.rightness, time: time))
        }
        tracks.sort { $0.id < $1.id }
    }

    /// The cost of matching a hand with a lost one; at 1 and above it is another hand.
    private func cost(of hand: HandLandmarks, as lost: Track, at time: TimeInterval) -> Double {
        // A hand moves at most about 20 of its lengths per second: 2 m/s at 10 cm.
        let reach = max(hand.length, lost.hand.length) * (1.5 + 20 * max(0, time - lost.time))
        let distance = (hand.nextRegion.center - lost.hand.nextRegion.center).length / max(reach, 1)
        return distance + 0.7 * Double(abs(hand.rightness - lost.rightness))
    }
}

extension HandLandmarks {
    /// The mean landmark distance of two readings, in lengths of the larger, below which they are of the same hand.
    /// Readings of one hand lie 0.12 to 0.3 apart in the recordings, clasped hands 0.65 and more.
    private static let sameDistance = 0.35

    /// Whether two readings are of the same hand: their regions or their landmarks nearly agree.
    func isSameHand(as other: HandLandmarks) -> Bool {
        if nextRegion.overlap(other.nextRegion) > HandTrackManager.duplicateOverlap { return true }
        let sum = zip(points, other.points).reduce(0) { $0 + ($1.0 - $1.1).length }
        return sum / Double(max(1, points.count)) < Self.sameDistance * max(length, other.length)
    }
}

extension Region {
    /// Intersection over union of the two squares, ignoring their rotation.
    func overlap(_ other: Region) -> Double {
        let reach = (side + other.side) / 2
        let width = min(reach - abs(center.x - other.center.x), min(side, other.side))
        let height = min(reach - abs(center.y - other.center.y), min(side, other.side))
        guard width > 0, height > 0 else { return 0 }
        return width * height / (side * side + other.side * other.side - width * height)
    }
}

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
