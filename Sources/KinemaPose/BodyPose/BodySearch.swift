import KinemaCore
import KinemaSampling
import KinemaMedia

/// Searches a picture for all people: the whole picture first, then overlapping parts, since the detector misses people
/// smaller than a quarter of its input. Verification rejects false detections: from a slightly different region, a
/// body's landmarks stay in the same position, but those of a chair do not.
struct BodySearch: Sendable {
    /// The sizes of the parts as shares of the picture's longer side: wide parts and close-ups.
    static let shares = [0.6, 0.4]
    /// The share in which the smallest people are found.
    static let smallest = 0.25
    /// The shares in a single picture, which has no further frames to find the smallest people in.
    static let pictureShares = shares + [smallest]
    /// The maximum number of candidates that are verified, best first; it bounds the time for a crowded picture.
    static let maximumCandidates = 48
    /// The minimum score of a body: between the scores of chairs and of people.
    static let minimumScore: Float = 0.25
    /// The mean joint distance, in body sizes, between two readings of one region: less for bodies, more for chairs.
    static let unsteadiness: Float = 0.05
    /// The minimum evidence for a newcomer in a part of the picture, and for keeping a tracked person. On 132
    /// recordings real people average 1.2 to 2, machines and printed boards 0.2 to 0.7.
    static let minimumEvidence: (newcomer: Float, tracked: Float) = (0.9, 0.5)
    /// The minimum of the detector's score in a turned picture, and of that plus the verification's score. In moving
    /// pictures without people the detector's score reaches 0.6 where the landmarks agree, and 1.23 with theirs.
    static let minimumTurned: (detection: Float, evidence: Float) = (0.7, 1.1)
    /// The sides of the squares around a person that the detector searches for evidence, in sides of the region.
    private static let surroundings = [1.5, 1]
    /// A detector's score that needs no verification.
    private static let certainDetection: Float = 0.9

    let detector: AnchorDetector
    let landmarker: BodyLandmarker

    /// All people in the picture, best first; `score` is the confidence that each is real.
    func bodies(in frame: VideoFrame, maximumCount: Int) throws -> [BodyLandmarks] {
        var found: [BodyLandmarks] = []
        for candidate in try candidates(in: frame).prefix(Self.maximumCandidates) {
            guard !found.contains(where: { $0.covers(candidate.region) }),
                var body = try verify(candidate.region, score: candidate.score, in: frame)
            else { continue }
            // Of several people, those who can be seen from head to foot come first.
            body.score *= body.meanVisibility.squareRoot()
            guard body.score >= Self.minimumScore else { continue }
            if let same = found.firstIndex(where: { $0.distance(to: body) < PersonTrackManager.duplicateDistance }) {
                if found[same].score < body.score { found[same] = body }
            } else {
                found.append(body)
            }
        }
        return Array(found.sorted { $0.score > $1.score }.prefix(maximumCount))
    }

    private struct Candidate {
        var region: Region
        var score: Float
    }

    private func candidates(in frame: VideoFrame) throws -> [Candidate] {
        var candidates: [Candidate] = []
        let size = frame.size
        for part in [AnchorDetector.whole(of: frame)]
            + Self.parts(of: size, shares: frame.isPicture ? Self.pictureShares : Self.shares)
        {
            for detection in try detector.detect(in: frame, part: part) where detection.bodyRegion.isValid(for: size) {
                let region = detection.bodyRegion
                // For a body in several parts the best detection counts, and each further one adds confidence.
                if let same = candidates.firstIndex(where: { $0.region.isSimilar(to: region) }) {
                    let best = max(candidates[same].score, detection.score)
                    if detection.score > candidates[same].score { candidates[same].region = region }
                    candidates[same].score = best + (1 - best) * 0.3
                } else {
                    candidates.append(Candidate(region: region, score: detection.score))
                }
            }
        }
        return candidates.sorted { $0.score > $1.score }
    }

    /// Those whom the detector sees in the picture turned by a quarter, a half or three quarters and the landmarks
    /// confirm, such as legs without a body above them. Best first.
    func turnedBodies(in frame: VideoFrame) throws -> [BodyLandmarks] {
        var found: [BodyLandmarks] = []
        for quarter in 1...3 {
            let square = Region(
                center: frame.size / 2, side: frame.size.max(), angle: Double(quarter) * Double.pi / 2)
            for detection in try detector.detect(in: frame, part: square, threshold: Self.minimumTurned.detection)
            where detection.bodyRegion.isValid(for: frame.size) {
                guard let body = try verify(detection.bodyRegion, score: 1, in: frame),
                    detection.score + body.score >= Self.minimumTurned.evidence
                else { continue }
                found.append(body)
            }
        }
        return found.sorted { $0.score > $1.score }
    }

    /// Verifies a detection by a second reading from the region of the first; nil without a body. Sets `score`.
    func verify(_ region: Region, score: Float, in frame: VideoFrame) throws -> BodyLandmarks? {
        let first = try landmarker.landmarks(in: frame, region)
        guard first.presence >= BodyLandmarker.minimumPresence else { return nil }
        let region = Region(middle: first.middle, rim: first.rim)
        guard region.isValid(for: frame.size) else { return nil }
        var second = try landmarker.landmarks(in: frame, region)
        guard second.presence >= BodyLandmarker.minimumPresence else { return nil }
        let unsteadiness = Float(first.distance(to: second)) / Self.unsteadiness
        let agreement = 1 / (1 + unsteadiness * unsteadiness)
        // People partly out of the picture are real too, so visibility enters only by its square root.
        second.score = score * min(first.presence, second.presence) * agreement * second.meanVisibility.squareRoot()
        return second.score >= Self.minimumScore ? second : nil
    }

    /// The evidence that a region shows a person, 0...2: the detector's score in its surroundings plus the
    /// verification's score. The landmark model alone follows a machine for minutes.
    func evidence(for region: Region, in frame: VideoFrame) throws -> Float {
        var detected: Float = 0
        for side in Self.surroundings where detected < Self.certainDetection {
            let square = Region(center: region.center, side: region.side * side, angle: 0)
            for detection in try detector.detect(in: frame, part: square, threshold: 0.1)
            where detection.bodyRegion.isSimilar(to: region) {
                detected = max(detected, detection.score)
            }
        }
        guard detected < Self.certainDetection else { return detected }
        return detected + (try verify(region, score: 1, in: frame)?.score ?? 0)
    }

    /// Repeats the landmark model on a body's own region until the landmarks stop moving, since after a cut the first
    /// frame must be right. Also tries a wider region, in case this one cuts off a part of the body.
    func converged(_ body: BodyLandmarks, in frame: VideoFrame) throws -> BodyLandmarks {
        var best = try converged(body, from: Region(middle: body.middle, rim: body.rim), in: frame)
        if best.meanVisibility < Self.fullVisibility {
            var wider = Region(middle: best.middle, rim: best.rim)
            wider.side *= 1.5
            let other = try converged(best, from: wider, in: frame)
            if other.meanVisibility > best.meanVisibility { best = other }
        }
        return best
    }

    private func converged(_ body: BodyLandmarks, from region: Region, in frame: VideoFrame) throws -> BodyLandmarks {
        var (body, region) = (body, region)
        for _ in 0..<Self.maximumIterations {
            guard let next = try landmarker.body(in: frame, region, isTracked: true) else { break }
            let moved = Float(next.distance(to: body))
            (body, region) = (next, Region(middle: next.middle, rim: next.rim))
            if moved < Self.unsteadiness { break }
        }
        return body
    }

    /// The minimum mean visibility of a body in view from head to foot.
    private static let fullVisibility: Float = 0.9
    /// The maximum number of iterations; a body that still moves after these does not converge.
    private static let maximumIterations = 4

    /// Half-overlapping squares whose sides are the given shares of the picture's longer side, row by row.
    static func parts(of size: SIMD2<Double>, shares: [Double]) -> [Region] {
        let longer = max(size.x, size.y)
        return shares.flatMap { share -> [Region] in
            let side = share * longer
            func starts(_ length: Double) -> [Double] {
                guard length > side else { return [length / 2] }
                let free = length - side
                let steps = (free / (side / 2)).rounded(.up)
                return (0...Int(steps)).map { side / 2 + free * Double($0) / steps }
            }
            return starts(size.y).flatMap { y in
                starts(size.x).map { x in Region(center: SIMD2(x, y), side: side, angle: 0) }
            }
        }
    }
}

extension Region {
    func isSimilar(to other: Region) -> Bool {
        let size = min(side, other.side) / 2.5
        return (center - other.center).length < 0.5 * size && max(side, other.side) < 1.6 * min(side, other.side)
    }
}
