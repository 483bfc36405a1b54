import Foundation
import KinemaCore
import KinemaMedia

/// Looks for everyone in a picture, small people too: the whole of it, then overlapping parts, then a second look.
///
/// The detector sees people of about a quarter of its input and more, so parts of the picture show it smaller people.
/// It also sees people where there are none; those are told apart by looking twice: from a slightly different region
/// a real body's landmarks come out in the same place, those of a chair do not.
struct BodySearch: Sendable {
    /// The sizes of the parts as shares of the picture's longer side.
    static let shares = [0.6, 0.4]
    /// The most candidates whose landmarks are looked at, best first; bounds the time a crowded picture takes.
    static let maximumCandidates = 48
    /// Bodies of less than this score are dropped: between what chairs and what people reach.
    static let minimumScore: Float = 0.25
    /// Two looks at a real body differ by less than this mean joint distance, in body sizes; two at a chair by more.
    static let unsteadiness: Float = 0.05

    let detector: BodyDetector
    let landmarker: BodyLandmarker

    /// Everyone in the picture, best first; `score` says how likely each is really there.
    func bodies(in frame: VideoFrame, maximumCount: Int) throws -> [BodyLandmarks] {
        let size = SIMD2(Double(frame.width), Double(frame.height))
        var found: [BodyLandmarks] = []
        for candidate in try candidates(in: frame, size).prefix(Self.maximumCandidates) {
            // A region that a found body fills already is not looked at again.
            guard !found.contains(where: { $0.covers(candidate.region) }),
                let body = try examine(candidate.region, score: candidate.score, in: frame)
            else { continue }
            if let same = found.firstIndex(where: { $0.distance(to: body) < PersonRoster.sameBody }) {
                if found[same].score < body.score { found[same] = body }
            } else {
                found.append(body)
            }
        }
        return Array(found.sorted { $0.score > $1.score }.prefix(maximumCount))
    }

    /// A place where a body may be, and how much speaks for it.
    private struct Candidate {
        var region: Region
        var score: Float
    }

    private func candidates(in frame: VideoFrame, _ size: SIMD2<Double>) throws -> [Candidate] {
        var seen: [Candidate] = []
        let whole = Region(center: size / 2, side: max(size.x, size.y), angle: 0)
        for part in [whole] + Self.parts(of: size, shares: Self.shares) {
            for detection in try detector.detect(in: frame, part: part) where detection.bodyRegion.isSound(for: size) {
                let region = detection.bodyRegion
                // Seen from several parts: the best view counts, and each further one speaks for it.
                if let same = seen.firstIndex(where: { $0.region.isSimilar(to: region) }) {
                    let best = max(seen[same].score, detection.score)
                    seen[same].region = detection.score > seen[same].score ? region : seen[same].region
                    seen[same].score = best + (1 - best) * 0.3
                } else {
                    seen.append(Candidate(region: region, score: detection.score))
                }
            }
        }
        return seen.sorted { $0.score > $1.score }
    }

    /// The body in a region that a detector gave a score, seen twice: from that region, then from the one its own
    /// landmarks ask for; nil when there is nobody after all.
    func examine(_ region: Region, score: Float, in frame: VideoFrame) throws -> BodyLandmarks? {
        let size = SIMD2(Double(frame.width), Double(frame.height))
        let first = try landmarker.landmarks(in: frame, region)
        guard first.presence >= BodyLandmarker.minimumPresence else { return nil }
        let region = Region(middle: first.middle, rim: first.rim)
        guard region.isSound(for: size) else { return nil }
        var second = try landmarker.landmarks(in: frame, region)
        guard second.presence >= BodyLandmarker.minimumPresence else { return nil }
        let unsteadiness = Float(first.distance(to: second)) / Self.unsteadiness
        let agreement = 1 / (1 + unsteadiness * unsteadiness)
        // Someone half out of the picture is as real as someone wholly in view, so visibility counts by its root.
        second.score =
            score * min(first.presence, second.presence) * agreement * second.meanVisibility.squareRoot()
        return second.score >= Self.minimumScore ? second : nil
    }

    /// A body looked at from the region that its landmarks ask for, again and again until they stay where they are.
    ///
    /// In a stream frame by frame does that; who appears after a cut shall be right at once. Landmarks may also stay where
    /// they are because the region leaves out what they miss, so that a wider one is tried as well.
    func settled(_ body: BodyLandmarks, in frame: VideoFrame) throws -> BodyLandmarks {
        var best = try steadied(body, from: Region(middle: body.middle, rim: body.rim), in: frame)
        if best.meanVisibility < Self.wholeVisibility {
            var wider = Region(middle: best.middle, rim: best.rim)
            wider.side *= 1.5
            let other = try steadied(best, from: wider, in: frame)
            if other.meanVisibility > best.meanVisibility { best = other }
        }
        return best
    }

    private func steadied(_ body: BodyLandmarks, from region: Region, in frame: VideoFrame) throws -> BodyLandmarks {
        var (body, region) = (body, region)
        for _ in 0..<Self.mostLooks {
            guard let next = try landmarker.body(in: frame, region, isFollowed: true) else { break }
            let moved = Float(next.distance(to: body))
            (body, region) = (next, Region(middle: next.middle, rim: next.rim))
            if moved < Self.unsteadiness { break }
        }
        return body
    }

    /// Of somebody who is seen from head to foot the joints are that visible, or more.
    private static let wholeVisibility: Float = 0.9
    /// A body that does not stay where it is after so many looks never will.
    private static let mostLooks = 4

    /// Squares of each share of the picture's longer side, half overlapping, row by row.
    static func parts(of size: SIMD2<Double>, shares: [Double]) -> [Region] {
        let longer = max(size.x, size.y)
        return shares.flatMap { share -> [Region] in
            let side = share * longer
            func starts(_ length: Double) -> [Double] {
                guard length > side else { return [length / 2] }
                let steps = Int(((length - side) / (side / 2)).rounded(.up))
                return (0...steps).map { side / 2 + (length - side) * Double($0) / Double(steps) }
            }
            return starts(size.y).flatMap { y in
                starts(size.x).map { x in Region(center: SIMD2(x, y), side: side, angle: 0) }
            }
        }
    }
}

/// Which parts of a video's pictures are searched when: all wide ones at first, then all in turns.
///
/// With nobody in view every frame takes its share, so that no part waits longer than `round`; with somebody in view
/// only the frames that are searched anyway, so that following costs little more.
struct PartSchedule: Sendable {
    /// A part, and whether it is a close look, which is meant for those who are small in the whole picture.
    struct Part: Sendable, Equatable {
        var region: Region
        var isClose: Bool

        /// Whether a body's region belongs to the part: a close look shows of larger people only pieces.
        func holds(_ body: Region) -> Bool {
            let offset = body.center - region.center
            return !isClose
                || body.side <= region.side && max(abs(offset.x), abs(offset.y)) <= region.side / 2
        }
    }

    /// In which time every part is searched while nobody is in view, seconds: who is waited for does not notice it.
    static let round: TimeInterval = 0.5
    /// Whether close looks are taken at all.
    let isClose: Bool
    private var isFirst = true
    private var next = (wide: 0, close: 0)
    private var lastTime: TimeInterval?
    /// How many parts are due, of which whole ones are taken.
    private var owed = 0.0

    init(isClose: Bool) { self.isClose = isClose }

    /// Whether any part was searched since the beginning or the last cut.
    var hasBegun: Bool { !isFirst }

    /// Begins anew: after a cut.
    mutating func restart() { isFirst = true }

    /// All close looks, for a beginning that shows nobody for sure.
    func closeLooks(of size: SIMD2<Double>) -> [Part] {
        guard isClose else { return [] }
        return BodySearch.parts(of: size, shares: [BodySearch.shares[1]]).map { Part(region: $0, isClose: true) }
    }

    /// The parts of a picture of that size to search now.
    mutating func parts(of size: SIMD2<Double>, at time: TimeInterval, isSomeoneInView: Bool) -> [Part] {
        let wide = BodySearch.parts(of: size, shares: [BodySearch.shares[0]]).map { Part(region: $0, isClose: false) }
        let close = closeLooks(of: size)
        defer { (isFirst, lastTime) = (false, time) }
        if isFirst { return wide }
        if isSomeoneInView { return Self.turn(&next.wide, wide) + Self.turn(&next.close, close) }
        let all = wide + close
        let share = min(1, max(0, time - (lastTime ?? time)) / Self.round)
        owed = min(Double(all.count), owed + share * Double(all.count))
        let count = max(1, Int(owed + 1e-6))
        owed = max(0, owed - Double(count))
        // Each has its turn in proportion, so that the wide ones, which find more, come between the close ones.
        return (0..<count).flatMap { _ in
            (next.wide + 1) * close.count <= (next.close + 1) * wide.count || close.isEmpty
                ? Self.turn(&next.wide, wide) : Self.turn(&next.close, close)
        }
    }

    private static func turn(_ place: inout Int, _ parts: [Part]) -> [Part] {
        guard !parts.isEmpty else { return [] }
        defer { place += 1 }
        return [parts[place % parts.count]]
    }
}

/// Where nobody was in the last moments although the detector saw somebody: it is not asked again at once.
struct Dismissals: Sendable {
    /// How long a place is left alone, seconds: once in a search of all parts is enough.
    static let lasting = PartSchedule.round
    /// By how much surer the detector must be to be asked before that, and how far turned (radians) a body is another.
    static let surer: Float = 0.1
    static let turned = 0.5

    private var places: [(detection: AnchorDetection, time: TimeInterval)] = []

    /// Whether a detection is one that came to nothing lately.
    func contain(_ detection: AnchorDetection, at time: TimeInterval) -> Bool {
        places.contains { place in
            abs(time - place.time) < Self.lasting && detection.score < place.detection.score + Self.surer
                && place.detection.bodyRegion.isSimilar(to: detection.bodyRegion)
                && abs(remainder(place.detection.bodyRegion.angle - detection.bodyRegion.angle, 2 * .pi)) < Self.turned
        }
    }

    /// Takes note that a look at a detection showed nobody.
    mutating func insert(_ detection: AnchorDetection, at time: TimeInterval) {
        places.removeAll { abs(time - $0.time) >= Self.lasting }
        places.append((detection, time))
    }
}

extension Region {
    /// Whether two regions are meant for the same body.
    func isSimilar(to other: Region) -> Bool {
        let size = min(side, other.side) / 2.5
        return (center - other.center).length < 0.5 * size && max(side, other.side) < 1.6 * min(side, other.side)
    }
}

extension BodyLandmarks {
    /// The mean visibility of the joints that matter for a pose: shoulders, elbows, wrists, hips, knees, ankles, nose.
    var meanVisibility: Float {
        let joints = [0, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28]
        return joints.reduce(0) { $0 + confidence($1) } / Float(joints.count)
    }

    /// Whether a region is the one this body fills.
    func covers(_ region: Region) -> Bool {
        (middle - region.center).length < 0.25 * size
            && max(region.side / 2.5, size) < 1.4 * min(region.side / 2.5, size)
    }
}
