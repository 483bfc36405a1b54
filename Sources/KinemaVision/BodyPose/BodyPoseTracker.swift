import Foundation
package import KinemaCore
package import KinemaMedia

/// Bodies of one stream: landmarks follow the people from frame to frame, the detector looks only for the missing.
package struct BodyPoseTracker: StreamTracker {
    /// Somebody seen without the detector's word must be surer than this: between what furniture and what half-hidden
    /// people reach on rendered crossings.
    private static let returningScore: Float = 0.5

    /// How much steadier another reading of somebody followed must be to take its place: right readings of a man in a
    /// yard score three times what those upside down do.
    private static let advantage: Float = 1.5

    let options: BodyPoseOptions
    private let looksOnce: Bool
    private let detector: BodyDetector
    private let landmarker: BodyLandmarker
    private var roster = PersonRoster()
    private var shots = ShotBoundaryDetector()
    private var lastSearch: TimeInterval?
    private var schedule: PartSchedule
    private var dismissals = Dismissals()
    /// Whether a part of the picture is still to be searched since the whole was.
    private var owesPart = false
    /// The frame in which nobody was looked for yet.
    private var unsearched: VideoFrame?

    /// Prepares the models; throws `.missingComponent` when one is not installed.
    ///
    /// A tracker that looks once treats a video's frame as a picture by itself.
    package init(options: BodyPoseOptions, store: ModelStore = .shared, looksOnce: Bool = false) throws {
        self.options = options
        self.looksOnce = looksOnce
        schedule = PartSchedule(isClose: options.search != .whole)
        store.prepare(ModelCatalogue.bodies, precision: options.precision)
        detector = try BodyDetector(store: store, precision: options.precision)
        landmarker = try BodyLandmarker(store: store, precision: options.precision)
    }

    /// What is to be looked at in a frame for the people known so far.
    ///
    /// A look may be planned and taken while the frame before is still being worked on (`ahead` 1): its regions are then
    /// moved on by one more frame. That lets two frames be inferred at once although each depends on the last.
    package func look(at frame: VideoFrame, ahead: Int) -> FrameLook {
        FrameLook(
            frame: frame, regions: roster.tracks.map { ($0.id, $0.region(ahead: ahead)) }, landmarker: landmarker)
    }

    /// The people in the stream's next frame.
    package mutating func update(_ frame: VideoFrame) throws -> [Pose] {
        try update(frame, seen: look(at: frame, ahead: 0).take())
    }

    /// The people in the stream's next frame, of which some were looked at already.
    ///
    /// With `searchesLater`, newcomers are looked for not now but in `catchUp`, as long as anyone is known.
    package mutating func update(
        _ frame: VideoFrame, seen: FrameLook.Seen, searchesLater: Bool = false
    ) throws -> [Pose] {
        let time = frame.time
        let size = SIMD2(Double(frame.width), Double(frame.height))
        let sightings = try roster.tracks.map { track -> BodyLandmarks? in
            if let early = seen.bodies[track.id], early.region.isSimilar(to: track.next) { return early.body }
            // Who came into view while the look was taken, or was not where they should have been, is looked at now.
            return try landmarker.body(in: frame, track.next, isFollowed: true)
        }
        roster.follow(sightings.map { $0.map { sight($0, in: frame) } }, at: time)
        if shots.isCut(frame) {
            try beginShot(with: frame, size)
        }
        try lookAfterLost(in: frame, size)
        if searchesLater && !roster.tracks.isEmpty {
            unsearched = frame
        } else {
            unsearched = nil
            try searchIfDue(in: frame, size, splits: false)
        }
        return roster.tracks.map { track in
            var pose = track.body.pose(id: track.id, width: frame.width, height: frame.height)
            pose.shot = shots.count
            return pose
        }
    }

    /// Looks for newcomers in the last frame if that is due and was not done yet; they are told with the next one.
    package mutating func catchUp() throws {
        guard let frame = unsearched else { return }
        unsearched = nil
        try searchIfDue(in: frame, SIMD2(Double(frame.width), Double(frame.height)), splits: true)
    }

    /// - Parameter splits: While everyone is in view, the whole picture and a part of it are searched in turns, halfway
    ///   between each other, so that the next frame waits less.
    private mutating func searchIfDue(in frame: VideoFrame, _ size: SIMD2<Double>, splits: Bool) throws {
        let time = frame.time
        if isSearchDue(at: time) {
            lastSearch = time
            try findPeople(in: frame, size, splits: splits)
        } else if owesPart, let lastSearch, time - lastSearch >= options.searchInterval / 2 - 1e-6 {
            try findSmallPeople(in: frame, size)
        }
    }

    /// After a cut nobody need be where they were: the picture is searched as the first one was.
    ///
    /// Whom the search does not find, but a second look, is where he or she was after all. If it finds nobody, bodies are
    /// followed as if nothing had happened.
    private mutating func beginShot(with frame: VideoFrame, _ size: SIMD2<Double>) throws {
        let before = roster
        roster.scatter()
        lastSearch = frame.time
        schedule.restart()
        try findPeople(in: frame, size, splits: false)
        guard !roster.tracks.isEmpty else {
            roster = before
            return
        }
        let search = BodySearch(detector: detector, landmarker: landmarker)
        for track in before.tracks where isWorthALook(track.next, size) {
            guard let body = try search.examine(track.next, score: 1, in: frame), body.score >= Self.returningScore
            else { continue }
            try welcome(sight(body, in: frame), in: frame)
        }
        try roster.settle { try search.settled($0, in: frame) }
    }

    /// Looks where the people who were just lost should be by now; nobody comes back sooner, and it costs no more than
    /// following them did.
    private mutating func lookAfterLost(in frame: VideoFrame, _ size: SIMD2<Double>) throws {
        let search = BodySearch(detector: detector, landmarker: landmarker)
        for person in roster.justLost(at: frame.time) where !person.portrait.isElsewhere {
            let region = person.expectedRegion(at: frame.time)
            guard isWorthALook(region, size), let body = try search.examine(region, score: 1, in: frame),
                body.score >= Self.returningScore
            else { continue }
            try welcome(sight(body, in: frame), in: frame)
        }
    }

    /// With everyone in view nothing is searched; with someone just lost five times a second, else twice.
    private func isSearchDue(at time: TimeInterval) -> Bool {
        guard roster.tracks.count < options.maximumPeople else { return false }
        guard let lastSearch, !roster.tracks.isEmpty else { return true }
        let pause = roster.justLost(at: time).isEmpty ? options.searchInterval : min(0.2, options.searchInterval)
        return time - lastSearch >= pause - 1e-6 || time < lastSearch
    }

    private mutating func findPeople(in frame: VideoFrame, _ size: SIMD2<Double>, splits: Bool) throws {
        let search = BodySearch(detector: detector, landmarker: landmarker)
        if options.search.takesParts(ofSinglePicture: looksOnce || frame.isPicture) {
            for body in try search.bodies(in: frame, maximumCount: options.maximumPeople) {
                try welcome(sight(body, in: frame), in: frame)
            }
            return
        }
        for detection in try detector.detect(in: frame) where isWorthALook(detection.bodyRegion, size) {
            // The only person in view is believed at once, as MediaPipe does; a further one is looked at twice.
            let sighting =
                roster.tracks.isEmpty
                ? try landmarker.body(in: frame, detection.bodyRegion, isFollowed: false)
                : try search.examine(detection.bodyRegion, score: detection.score, in: frame)
            if let sighting { try welcome(sight(sighting, in: frame), in: frame) }
        }
        let isCalm = schedule.hasBegun && !owesPart && !roster.tracks.isEmpty && roster.justLost(at: frame.time).isEmpty
        if splits && isCalm { owesPart = true } else { try findSmallPeople(in: frame, size) }
    }

    private mutating func findSmallPeople(in frame: VideoFrame, _ size: SIMD2<Double>) throws {
        owesPart = false
        let isStart = !schedule.hasBegun
        var found = try bodies(in: nextParts(size, at: frame.time), of: frame, size)
        // Who waits for the first picture of somebody shall not wait for the round.
        if isStart, !(roster.tracks.map(\.body) + found).contains(where: { $0.score >= Self.returningScore }) {
            found += try bodies(in: schedule.closeLooks(of: size), of: frame, size)
        }
        // Of several bodies in one place the surest is believed.
        for body in found.sorted(by: { $0.score > $1.score }) {
            try welcome(sight(body, in: frame), in: frame)
        }
    }

    private mutating func bodies(
        in parts: [PartSchedule.Part], of frame: VideoFrame, _ size: SIMD2<Double>
    ) throws -> [BodyLandmarks] {
        let search = BodySearch(detector: detector, landmarker: landmarker)
        var found: [BodyLandmarks] = []
        for part in parts {
            for detection in try detector.detect(in: frame, part: part.region)
            where part.holds(detection.bodyRegion) && isWorthALook(detection.bodyRegion, size) {
                guard !found.contains(where: { $0.covers(detection.bodyRegion) }),
                    !dismissals.contain(detection, at: frame.time)
                else { continue }
                let body = try search.examine(detection.bodyRegion, score: detection.score, in: frame)
                if let body, !(part.isClose && roster.isShadow(body)) {
                    found.append(body)
                } else {
                    dismissals.insert(detection, at: frame.time)
                }
            }
        }
        return found
    }

    /// Where small people are looked for now: around those just lost, and in the parts whose turn it is.
    private mutating func nextParts(_ size: SIMD2<Double>, at time: TimeInterval) -> [PartSchedule.Part] {
        let isStart = !schedule.hasBegun
        let parts = schedule.parts(of: size, at: time, isSomeoneInView: !roster.tracks.isEmpty)
        if isStart { return parts }
        // Six body sizes hold where somebody can be by now.
        let around = roster.justLost(at: time).filter { !$0.portrait.isElsewhere }.map { person in
            PartSchedule.Part(
                region: Region(center: person.portrait.place(at: time), side: person.portrait.size * 6, angle: 0),
                isClose: false)
        }
        return around + parts
    }

    private func isWorthALook(_ region: Region, _ size: SIMD2<Double>) -> Bool {
        roster.tracks.count < options.maximumPeople && region.isSound(for: size) && !roster.isFollowed(region)
    }

    private mutating func welcome(_ sighting: PersonRoster.Sighting, in frame: VideoFrame) throws {
        guard roster.tracks.count < options.maximumPeople, !roster.isFollowed(sighting.body) else { return }
        guard let rival = roster.misreading(sighting.body) else {
            roster.welcome(sighting, at: frame.time)
            return
        }
        // One person read in two ways, upside down as often as not: the steadier reading is the right one.
        let search = BodySearch(detector: detector, landmarker: landmarker)
        func steadiness(_ body: BodyLandmarks) throws -> Float {
            try search.examine(Region(middle: body.middle, rim: body.rim), score: 1, in: frame)?.score ?? 0
        }
        if try steadiness(sighting.body) > Self.advantage * steadiness(rival.body) {
            roster.correct(rival.id, with: sighting.body)
        }
    }

    private func sight(_ body: BodyLandmarks, in frame: VideoFrame) -> PersonRoster.Sighting {
        PersonRoster.Sighting(body: body, appearance: Appearance(of: body, in: frame))
    }
}

extension VideoFrame {
    /// Whether this is a picture by itself and not part of a stream; readers give those one tick of one second.
    var isPicture: Bool {
        id.range == 0..<1 && id.timescale == 1
    }
}
