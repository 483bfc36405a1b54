import Foundation

/// Who is in view, and who was a moment ago: keeps each person's number through crossings and short occlusions.
struct PersonRoster: Sendable {
    /// Two bodies closer than this mean joint distance (in body sizes) are one person seen twice.
    static let sameBody = 0.25
    /// Two bodies of much the same size of which one lies in the other's box by this share, turned by this angle
    /// (radians), are one person read twice: people who cross are much the same way up.
    static let samePlace = 0.7
    static let turned = 1.0
    /// People closer than this (in body sizes) may be mistaken for each other, so portraits rest.
    static let closeness = 1.3
    /// A body that fits no portrait better than this is somebody new.
    static let maximumCost = 1.6
    /// How much better another portrait must fit before numbers change hands: two people dressed alike must not
    /// change places by noise.
    static let margin = 0.5
    /// How long somebody who is gone is looked for often and can be mistaken for whoever is seen there, seconds.
    static let confusion: TimeInterval = 3
    /// How long somebody who left is remembered, seconds.
    static let memory: TimeInterval = 10

    /// A body seen in this frame, with its looks.
    struct Sighting: Sendable {
        var body: BodyLandmarks
        var appearance: Appearance?
    }

    private(set) var tracks: [PersonTrack] = []
    private(set) var absent: [PersonTrack] = []
    private var lastID = 0

    /// The people who were lost so lately that they are looked for often, and may be mistaken for others.
    func justLost(at time: TimeInterval) -> [PersonTrack] {
        absent.filter { isJustLost($0, at: time) }
    }

    private func isJustLost(_ person: PersonTrack, at time: TimeInterval) -> Bool {
        time - person.portrait.time < Self.confusion
    }

    /// Takes what each track's region showed, in the order of `tracks`; nil where nobody was.
    ///
    /// Sightings that were told apart before (`areDistinct`) are never taken for one body seen twice.
    mutating func follow(_ sightings: [Sighting?], at time: TimeInterval, areDistinct: Bool = false) {
        var looks: [Int: Appearance] = [:]
        var kept: [PersonTrack] = []
        for (index, sighting) in sightings.enumerated() {
            guard let sighting else {
                absent.append(tracks[index])
                continue
            }
            tracks[index].see(sighting.body)
            looks[tracks[index].id] = sighting.appearance
            kept.append(tracks[index])
        }
        tracks = kept
        if !areDistinct { mergeDoubles(looks, at: time) }
        unswap(&looks, at: time)
        unmask(&looks, at: time)
        renewPortraits(looks, at: time)
        absent.removeAll { time - $0.portrait.time > Self.memory || time < $0.portrait.time }
    }

    /// Takes note of a cut: everyone may be anywhere, or gone.
    mutating func scatter() {
        absent += tracks
        tracks = []
        for index in absent.indices { absent[index].portrait.isElsewhere = true }
    }

    /// Looks at everyone in view once more; the numbers stay.
    mutating func settle(_ look: (BodyLandmarks) throws -> BodyLandmarks) rethrows {
        for index in tracks.indices { tracks[index].settle(try look(tracks[index].body)) }
    }

    /// Whether a body is one that is followed already.
    func isFollowed(_ body: BodyLandmarks) -> Bool {
        tracks.contains { $0.body.distance(to: body) < Self.sameBody }
    }

    /// Whether a detection's region is one that is followed already, to spare the look at its landmarks.
    func isFollowed(_ region: Region) -> Bool {
        let size = region.side / 2.5
        return tracks.contains { track in
            (track.body.middle - region.center).length < 0.35 * max(size, track.body.size)
                && max(size, track.body.size) < 2 * min(size, track.body.size)
        }
    }

    /// The person in whose place a body is that lies quite differently: one of the two is a misreading of the other.
    func misreading(_ body: BodyLandmarks) -> PersonTrack? {
        tracks.first { track in
            max(track.body.size, body.size) < 2 * min(track.body.size, body.size)
                && track.body.boxOverlap(with: body) >= Self.samePlace && track.body.turn(to: body) >= Self.turned
        }
    }

    /// Whether a body lies in the place of somebody who is seen better, much the same way up: a closer look at a part of a
    /// person, such as a bent back, makes a smaller person of it.
    func isShadow(_ body: BodyLandmarks) -> Bool {
        misreading(body) == nil
            && tracks.contains {
                $0.body.score > body.score && $0.body.boxOverlap(with: body) >= Self.samePlace
            }
    }

    /// Takes a better reading of somebody who is followed.
    mutating func correct(_ id: Int, with body: BodyLandmarks) {
        guard let index = tracks.firstIndex(where: { $0.id == id }) else { return }
        tracks[index].settle(body)
    }

    /// Takes a newly found body: somebody who was away, or somebody new.
    mutating func welcome(_ sighting: Sighting, at time: TimeInterval) {
        let costs = absent.map { $0.portrait.cost(of: sighting.body, appearance: sighting.appearance, at: time) }
        let best = costs.indices.min { costs[$0] < costs[$1] }
        if let best, costs[best] < Self.maximumCost {
            let known = absent.remove(at: best)
            var track = PersonTrack(id: known.id, body: sighting.body, appearance: sighting.appearance, at: time)
            track.portrait.appearance = known.portrait.appearance ?? sighting.appearance
            tracks.append(track)
        } else {
            lastID += 1
            tracks.append(PersonTrack(id: lastID, body: sighting.body, appearance: sighting.appearance, at: time))
        }
        tracks.sort { $0.id < $1.id }
    }

    /// Two tracks on one body: the one whose portrait fits it keeps it, the other's person is hidden.
    private mutating func mergeDoubles(_ looks: [Int: Appearance], at time: TimeInterval) {
        var first = 0
        while first < tracks.count {
            var second = first + 1
            while second < tracks.count {
                guard tracks[first].body.distance(to: tracks[second].body) < Self.sameBody else {
                    second += 1
                    continue
                }
                let costs = [first, second].map {
                    tracks[$0].portrait.cost(of: tracks[$0].body, appearance: looks[tracks[$0].id], at: time)
                }
                if costs[0] <= costs[1] {
                    absent.append(tracks.remove(at: second))
                } else {
                    absent.append(tracks.remove(at: first))
                    second = first + 1
                }
            }
            first += 1
        }
    }

    /// Two close tracks that fit each other's portraits clearly better have changed places.
    private mutating func unswap(_ looks: inout [Int: Appearance], at time: TimeInterval) {
        for first in tracks.indices {
            for second in tracks.indices where second > first && areClose(first, second) {
                let (a, b) = (tracks[first], tracks[second])
                func cost(_ person: PersonTrack, _ body: PersonTrack) -> Double {
                    person.portrait.cost(of: body.body, appearance: looks[body.id], at: time)
                }
                if cost(a, b) + cost(b, a) + Self.margin < cost(a, a) + cost(b, b) {
                    var (one, two) = (a, b)
                    one.exchangeBody(with: &two)
                    (tracks[first], tracks[second]) = (one, two)
                    (looks[a.id], looks[b.id]) = (looks[b.id], looks[a.id])
                }
            }
        }
    }

    /// A track that slid from its own person onto somebody who was hidden goes on under that person's number.
    private mutating func unmask(_ looks: inout [Int: Appearance], at time: TimeInterval) {
        for index in tracks.indices {
            let track = tracks[index]
            let look = looks[track.id]
            let own = track.portrait.cost(of: track.body, appearance: look, at: time)
            let costs = absent.map {
                isJustLost($0, at: time)
                    ? $0.portrait.cost(of: track.body, appearance: look, at: time) : .infinity
            }
            guard let best = costs.indices.min(by: { costs[$0] < costs[$1] }), costs[best] + Self.margin < own else {
                continue
            }
            var found = absent.remove(at: best)
            var hidden = track
            found.exchangeBody(with: &hidden)
            absent.append(hidden)
            tracks[index] = found
            looks[found.id] = look
        }
    }

    private mutating func renewPortraits(_ looks: [Int: Appearance], at time: TimeInterval) {
        for index in tracks.indices where !isCrowded(index, at: time) {
            tracks[index].sit(appearance: looks[tracks[index].id], at: time)
        }
    }

    /// Whether somebody else, in view or hidden just now, is so close that a look may be the other's.
    private func isCrowded(_ index: Int, at time: TimeInterval) -> Bool {
        let body = tracks[index].body
        return tracks.indices.contains { $0 != index && areClose($0, index) }
            || absent.contains { hidden in
                isJustLost(hidden, at: time)
                    && (hidden.portrait.place(at: time) - body.middle).length < Self.closeness * body.size
            }
    }

    private func areClose(_ first: Int, _ second: Int) -> Bool {
        let (a, b) = (tracks[first].body, tracks[second].body)
        return (a.middle - b.middle).length < Self.closeness * max(a.size, b.size)
    }
}
