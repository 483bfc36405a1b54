import KinemaCore
import KinemaSampling
import Foundation

/// Manages the tracks of people in view and recently lost; numbers survive crossings and short occlusions.
struct PersonTrackManager: Sendable {
    /// Two bodies with a mean joint distance below this, in body sizes, are the same person.
    static let duplicateDistance = 0.25
    /// Two bodies of similar size that overlap by this share of the smaller box and differ in rotation by at least
    /// `conflictRotation` (radians) are two readings of one person.
    static let conflictOverlap = 0.7
    static let conflictRotation = 1.0
    /// Reference states are not updated while two people are closer than this, in body sizes: they may be confused.
    static let crowdingDistance = 1.3
    /// A body that matches no reference state better than this is a new person.
    static let maximumCost = 1.6
    /// The margin by which another reference state must match better before numbers change.
    static let switchMargin = 0.5
    /// An appearance is learnt while no other body overlaps by more than this share of the smaller box.
    static let clearOverlap = 0.25
    /// The time after a loss in which a person is searched for often and may be confused with others, in seconds.
    static let recentLoss: TimeInterval = 3
    /// The memory of a lost person, in seconds.
    static let memory: TimeInterval = 10

    struct Observation: Sendable {
        var body: BodyLandmarks
        var appearance: Appearance?
    }

    private(set) var tracks: [PersonTrack] = []
    private(set) var lost: [PersonTrack] = []
    private var lastID = 0
    var weights = PersonMatchWeights()

    func recentlyLost(at time: TimeInterval) -> [PersonTrack] { lost.filter { isRecentlyLost($0, at: time) } }

    private func isRecentlyLost(_ person: PersonTrack, at time: TimeInterval) -> Bool {
        time - person.motion.time < Self.recentLoss
    }

    /// Updates the tracks from one observation per track, in the order of `tracks`; nil for a person not found.
    mutating func update(with observations: [Observation?], at time: TimeInterval) {
        var appearances: [Int: Appearance] = [:]
        var found: [PersonTrack] = []
        var strangers: [Observation] = []
        for (index, observation) in observations.enumerated() {
            guard let observation else {
                lost.append(tracks[index])
                continue
            }
            let track = tracks[index]
            if track.reference.isBeforeCut,
                !track.reference.isKnownAgain(observation.body.extent, appearance: observation.appearance, at: time)
            {
                lost.append(track)
                strangers.append(observation)
                continue
            }
            tracks[index].update(with: observation.body, appearance: observation.appearance, at: time)
            appearances[tracks[index].id] = observation.appearance
            found.append(tracks[index])
        }
        tracks = found
        for stranger in strangers { add(stranger, at: time) }
        mergeDuplicates(appearances, at: time)
        resolveSwaps(&appearances, at: time)
        resolveTakeovers(&appearances, at: time)
        updateReferences(appearances, at: time)
        forget(at: time)
    }

    private mutating func forget(at time: TimeInterval) {
        lost.removeAll { time - $0.motion.time > Self.memory || time < $0.motion.time }
    }

    /// Updates the tracks from all detections in the frame; returns the number of each, nil for a body on no track.
    /// `PersonAssociation` continues the known people; other bodies of high score are new.
    @discardableResult
    mutating func update(withDetections detections: [Observation], at time: TimeInterval) -> [Int?] {
        var people = tracks + lost
        let owners = PersonAssociation(people, inView: tracks.count, detections, at: time, weights).owners
        for (index, owner) in owners {
            let elapsed = time - people[owner].motion.time
            people[owner].update(
                with: detections[index].body, appearance: detections[index].appearance, at: time)
            // A person who overlaps with others shows their colours.
            let isClear = !detections.indices.contains {
                $0 != index && detections[$0].body.boxOverlap(with: detections[index].body) > Self.clearOverlap
            }
            if isClear { people[owner].updateAppearance(detections[index].appearance, after: elapsed / 2) }
        }
        var numbers = detections.indices.map { index in owners[index].map { people[$0].id } }
        let found = Set(owners.values)
        tracks = found.map { people[$0] }
        lost = people.indices.filter { !found.contains($0) }.map { people[$0] }
        forget(at: time)
        for (index, detection) in detections.enumerated()
        where owners[index] == nil && detection.body.score >= weights.newcomerScore && !isTracked(detection.body) {
            // A doubtful body is somebody in a crowd, and beside others it is more often a part of one of them.
            let isDoubtful = detection.body.score < weights.strongScore && !isApart(index, detections, at: time)
            guard detection.body.score >= weights.aloneScore || tracks.count >= CrowdSurvey.crowd && !isDoubtful
            else { continue }
            begin(with: detection, at: time)
            numbers[index] = lastID
        }
        tracks.sort { $0.id < $1.id }
        updateReferences([:], at: time)
        return numbers
    }

    /// Whether a detection overlaps with no other, and nobody was lost near it.
    private func isApart(_ index: Int, _ detections: [Observation], at time: TimeInterval) -> Bool {
        let body = detections[index].body
        return !detections.indices.contains {
            $0 != index && detections[$0].body.boxOverlap(with: body) > Self.clearOverlap
        } && !lost.contains { isNear($0, body, at: time) }
    }

    /// Whether a person was lost so recently and near a body that the two may be confused.
    private func isNear(_ hidden: PersonTrack, _ body: BodyLandmarks, at time: TimeInterval) -> Bool {
        isRecentlyLost(hidden, at: time)
            && (hidden.reference.expectedPosition(at: time) - body.middle).length < Self.crowdingDistance * body.size
    }

    private mutating func begin(with observation: Observation, at time: TimeInterval) {
        lastID += 1
        tracks.append(PersonTrack(id: lastID, body: observation.body, appearance: observation.appearance, at: time))
    }

    /// Moves all tracks to the lost ones after a cut, when people may be anywhere or gone.
    mutating func resetAfterCut() {
        markCut()
        lost += tracks
        tracks = []
    }

    /// Notes a cut while everyone is followed on: a body at the same place may be another person.
    mutating func markCut() {
        for index in tracks.indices { tracks[index].reference.isBeforeCut = true }
        for index in lost.indices { lost[index].reference.isBeforeCut = true }
    }

    mutating func correctAll(_ corrected: (BodyLandmarks) throws -> BodyLandmarks) rethrows {
        for index in tracks.indices { tracks[index].correct(with: try corrected(tracks[index].body)) }
    }

    func isTracked(_ body: BodyLandmarks) -> Bool {
        tracks.contains { $0.body.distance(to: body) < Self.duplicateDistance }
    }

    /// Whether a detection's region is already tracked, which saves running the landmark model on it.
    func isTracked(_ region: Region) -> Bool {
        let size = region.side / 2.5
        return tracks.contains { track in
            (track.body.middle - region.center).length < 0.35 * max(size, track.body.size)
                && max(size, track.body.size) < 2 * min(size, track.body.size)
        }
    }

    /// The track at the position of a body with a different rotation: one of the two is a misreading.
    func conflictingTrack(with body: BodyLandmarks) -> PersonTrack? {
        tracks.first { track in
            max(track.body.size, body.size) < 2 * min(track.body.size, body.size)
                && track.body.boxOverlap(with: body) >= Self.conflictOverlap
                && track.body.rotation(to: body) >= Self.conflictRotation
        }
    }

    /// Whether a body is a misread part of a tracked person: close-ups can turn a bent back into a smaller person.
    func isPartOfTrack(_ body: BodyLandmarks) -> Bool {
        conflictingTrack(with: body) == nil
            && tracks.contains {
                $0.body.score > body.score && $0.body.boxOverlap(with: body) >= Self.conflictOverlap
            }
    }

    mutating func correct(_ id: Int, with body: BodyLandmarks) {
        guard let index = tracks.firstIndex(where: { $0.id == id }) else { return }
        tracks[index].correct(with: body)
    }

    /// Removes a track without remembering it as a lost person.
    mutating func remove(_ id: Int) { tracks.removeAll { $0.id == id } }

    mutating func add(_ observation: Observation, at time: TimeInterval) {
        let costs = lost.map {
            $0.reference.costOfReturn(of: observation.body.extent, appearance: observation.appearance, at: time)
        }
        let best = costs.indices.min { costs[$0] < costs[$1] }
        if let best, costs[best] < Self.maximumCost {
            let known = lost.remove(at: best)
            var track = PersonTrack(id: known.id, body: observation.body, appearance: observation.appearance, at: time)
            (track.reference.appearance, track.reference.earlier) = (
                known.reference.appearance ?? observation.appearance, known.reference.earlier
            )
            if known.reference.isBeforeCut { track.reference.beginShot(with: observation.appearance) }
            tracks.append(track)
        } else {
            begin(with: observation, at: time)
        }
        tracks.sort { $0.id < $1.id }
    }

    /// Of two tracks on one body, keeps the one whose reference state matches it; the other person counts as lost.
    private mutating func mergeDuplicates(_ appearances: [Int: Appearance], at time: TimeInterval) {
        var first = 0
        while first < tracks.count {
            var second = first + 1
            while second < tracks.count {
                guard tracks[first].body.distance(to: tracks[second].body) < Self.duplicateDistance else {
                    second += 1
                    continue
                }
                let costs = [first, second].map {
                    tracks[$0].reference.cost(
                        of: tracks[$0].body.extent, appearance: appearances[tracks[$0].id], at: time)
                }
                if costs[0] <= costs[1] {
                    lost.append(tracks.remove(at: second))
                } else {
                    lost.append(tracks.remove(at: first))
                    second = first + 1
                }
            }
            first += 1
        }
    }

    /// Swaps the bodies of two close tracks if each clearly matches the other's reference state better.
    private mutating func resolveSwaps(_ appearances: inout [Int: Appearance], at time: TimeInterval) {
        for first in tracks.indices {
            for second in tracks.indices where second > first && areClose(first, second) {
                let (a, b) = (tracks[first], tracks[second])
                func cost(_ person: PersonTrack, _ body: PersonTrack) -> Double {
                    person.reference.cost(of: body.body.extent, appearance: appearances[body.id], at: time)
                }
                if cost(a, b) + cost(b, a) + Self.switchMargin < cost(a, a) + cost(b, b) {
                    var (one, two) = (a, b)
                    one.exchangeBody(with: &two)
                    (tracks[first], tracks[second]) = (one, two)
                    (appearances[a.id], appearances[b.id]) = (appearances[b.id], appearances[a.id])
                }
            }
        }
    }

    /// Corrects the number of a track that slid from its own person to a lost one who has reappeared.
    private mutating func resolveTakeovers(_ appearances: inout [Int: Appearance], at time: TimeInterval) {
        for index in tracks.indices {
            let track = tracks[index]
            let appearance = appearances[track.id]
            let own = track.reference.cost(of: track.body.extent, appearance: appearance, at: time)
            let costs = lost.map {
                isRecentlyLost($0, at: time)
                    ? $0.reference.cost(of: track.body.extent, appearance: appearance, at: time) : .infinity
            }
            guard let best = costs.indices.min(by: { costs[$0] < costs[$1] }), costs[best] + Self.switchMargin < own
            else { continue }
            var found = lost.remove(at: best)
            var hidden = track
            found.exchangeBody(with: &hidden)
            lost.append(hidden)
            tracks[index] = found
            appearances[found.id] = appearance
        }
    }

    private mutating func updateReferences(_ appearances: [Int: Appearance], at time: TimeInterval) {
        for index in tracks.indices where !isCrowded(index, at: time) {
            tracks[index].updateReference(appearance: appearances[tracks[index].id], at: time)
        }
    }

    /// Whether another person, in view or recently lost, is so close that the two may be confused.
    private func isCrowded(_ index: Int, at time: TimeInterval) -> Bool {
        let body = tracks[index].body
        return tracks.indices.contains { $0 != index && areClose($0, index) }
            || lost.contains { isNear($0, body, at: time) }
    }

    private func areClose(_ first: Int, _ second: Int) -> Bool {
        let (a, b) = (tracks[first].body, tracks[second].body)
        return (a.middle - b.middle).length < Self.crowdingDistance * max(a.size, b.size)
    }
}
