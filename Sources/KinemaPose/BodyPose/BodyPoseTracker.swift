import KinemaSampling
import Foundation
package import KinemaCore
package import KinemaMedia

/// Tracks the bodies of one stream: the landmark model follows known people, the detector searches for missing ones.
package struct BodyPoseTracker: StreamTracker {
    /// The minimum score of a person found without the detector: between those of furniture and half-hidden people.
    private static let returningScore: Float = 0.5

    /// The factor of score by which another reading replaces a tracked one; upside-down readings score a third.
    private static let correctionFactor: Float = 1.5

    let options: BodyPoseOptions
    private let mode: RunningMode
    private let detector: AnchorDetector
    private let landmarker: BodyLandmarker
    private(set) var manager = PersonTrackManager()
    private(set) var shots = ShotBoundaryDetector()
    /// Times searches and cuts; people and their motion use the frames' own time.
    private var clock = SearchClock()
    private var lastSearch: TimeInterval?
    private var schedule: PartSchedule
    private var rejected = RejectedRegions()
    private var checks = TrackChecks()
    private var turned = TurnedSearchSchedule()
    private var isPartSearchPending = false
    private var postponedFrame: VideoFrame?

    /// The pixels of the people in the last frame, in a picture of the given size; nobody unless the options ask for masks.
    package func mask(of frame: VideoFrame, width: Int, height: Int) -> PersonMask {
        masks(of: frame, width: width, height: height).reduce(PersonMask(width: width, height: height)) {
            $0.united(with: $1)
        }
    }

    /// The pixels of each person in the last frame.
    package func masks(of frame: VideoFrame, width: Int, height: Int) -> [PersonMask] {
        manager.tracks.map { track in
            var mask = PersonMask(width: width, height: height)
            track.body.paint(into: &mask, scale: SIMD2(Double(width), Double(height)) / frame.size)
            return mask
        }
    }

    private var search: BodySearch { BodySearch(detector: detector, landmarker: landmarker) }

    /// Prepares the models; throws `.missingComponent` when one is not installed.
    package init(options: BodyPoseOptions, store: ModelStore = .shared, mode: RunningMode = .file) throws {
        (self.options, self.mode) = (options, mode)
        schedule = PartSchedule(includesCloseUps: options.search != .whole)
        let landmarks = options.findsMasks ? ModelCatalogue.bodyMask : ModelCatalogue.bodyLandmarks
        store.prepare([ModelCatalogue.bodyDetector, landmarks], precision: options.precision)
        detector = try .bodies(store: store, precision: options.precision)
        landmarker = try BodyLandmarker(
            store: store, precision: options.precision, findsMasks: options.findsMasks)
    }

    /// The people in the stream's next frame; a live stream with a tracked person leaves the search to `catchUp`.
    package mutating func update(_ frame: VideoFrame) throws -> [Pose] {
        clock.advance(to: frame)
        let bodies = try manager.tracks.map { track in
            options.holdsPeopleAtRest
                ? try landmarker.body(in: frame, following: track)
                : try landmarker.body(in: frame, track.nextRegion, isTracked: true)
        }
        let isCut = StageTimes.measure(.track) {
            manager.update(with: bodies.map { $0.map { observation(of: $0, in: frame) } }, at: frame.time)
            return shots.isCut(frame, at: clock.time)
        }
        if isCut { try beginShot(with: frame) }
        try searchForLost(in: frame)
        if mode == .live && !manager.tracks.isEmpty {
            postponedFrame = frame
        } else {
            postponedFrame = nil
            try searchIfDue(in: frame, splits: false)
        }
        return manager.tracks.map { track in
            var pose = track.body.pose(id: track.id, width: frame.width, height: frame.height)
            pose.shot = shots.count
            return pose
        }
    }

    /// Runs a postponed search for newcomers if it is due; they are reported with the next frame.
    package mutating func catchUp() throws {
        guard let frame = postponedFrame else { return }
        postponedFrame = nil
        try searchIfDue(in: frame, splits: true)
    }

    /// - Parameter splits: Whether to search the whole picture and a part in turn, half an interval apart.
    private mutating func searchIfDue(in frame: VideoFrame, splits: Bool) throws {
        try checkTracks(in: frame)
        if isSearchDue(in: frame) {
            lastSearch = clock.time
            try findPeople(in: frame, splits: splits)
        } else if isPartSearchPending, let lastSearch,
            clock.time - lastSearch >= options.searchInterval / 2 - 1e-6
        {
            try findSmallPeople(in: frame)
        } else if options.search == .automatic, mode != .picture, schedule.hasBegun, schedule.isSweeping,
            manager.tracks.count < options.maximumPeople
        {
            try findSmallPeople(in: frame)
        }
        if turned.isDue(at: clock.time, isAnyoneInView: !manager.tracks.isEmpty), mode != .picture, !frame.isPicture {
            for body in try search.turnedBodies(in: frame) { try add(body, in: frame) }
        }
    }

    /// Searches the picture after a cut as thoroughly as the first frame. People it misses are tried at their old
    /// positions; if it finds nobody, tracking continues without a cut.
    private mutating func beginShot(with frame: VideoFrame) throws {
        let before = manager
        manager.resetAfterCut()
        lastSearch = clock.time
        schedule.restart()
        try findPeople(in: frame, splits: false)
        guard !manager.tracks.isEmpty else {
            manager = before
            manager.markCut()
            return
        }
        for track in before.tracks where isCandidate(track.nextRegion, frame.size) {
            try addReturning(from: track.nextRegion, in: frame)
        }
        let search = search
        try manager.correctAll { try search.converged($0, in: frame) }
    }

    /// Searches for recently lost people at their expected positions, which costs no more than tracking them did.
    private mutating func searchForLost(in frame: VideoFrame) throws {
        for person in manager.recentlyLost(at: frame.time) where !person.reference.isBeforeCut {
            let region = person.expectedRegion(at: frame.time)
            if isCandidate(region, frame.size) { try addReturning(from: region, in: frame) }
        }
    }

    private mutating func addReturning(from region: Region, in frame: VideoFrame) throws {
        guard let body = try search.verify(region, score: 1, in: frame), body.score >= Self.returningScore else {
            return
        }
        try add(body, in: frame)
    }

    /// Whether to search: always while nobody is tracked, every 0.2 s after a loss, else at the options' interval.
    private func isSearchDue(in frame: VideoFrame) -> Bool {
        guard manager.tracks.count < options.maximumPeople else { return false }
        guard let lastSearch, !manager.tracks.isEmpty else { return true }
        let interval =
            manager.recentlyLost(at: frame.time).isEmpty ? options.searchInterval : min(0.2, options.searchInterval)
        return clock.time - lastSearch >= interval - 1e-6
    }

    private mutating func findPeople(in frame: VideoFrame, splits: Bool) throws {
        if options.search.includesParts(isSinglePicture: mode == .picture || frame.isPicture) {
            for body in try search.bodies(in: frame, maximumCount: options.maximumPeople) {
                try add(body, in: frame)
            }
            return
        }
        for detection in try detector.detect(in: frame) where isCandidate(detection.bodyRegion, frame.size) {
            // A first person is accepted at once, as in MediaPipe; further ones are verified.
            let body =
                manager.tracks.isEmpty
                ? try landmarker.body(in: frame, detection.bodyRegion, isTracked: false)
                : try search.verify(detection.bodyRegion, score: detection.score, in: frame)
            if let body { try add(body, in: frame) }
        }
        let isCalm =
            schedule.hasBegun && !isPartSearchPending && !manager.tracks.isEmpty
            && manager.recentlyLost(at: frame.time).isEmpty
        if splits && isCalm { isPartSearchPending = true } else { try findSmallPeople(in: frame) }
    }

    private mutating func findSmallPeople(in frame: VideoFrame) throws {
        isPartSearchPending = false
        let isStart = !schedule.hasBegun
        var found = try bodies(in: nextParts(in: frame), of: frame)
        // The first frame of a file's shot, and one in which nobody is certain, has all close-ups at once; that of a crowd
        // also those for the smallest people.
        if isStart {
            let isCertain = (manager.tracks.map(\.body) + found).contains { $0.score >= Self.returningScore }
            if mode == .file || !isCertain { found += try bodies(in: schedule.closeUps(of: frame.size), of: frame) }
            if mode == .file, manager.tracks.count + found.count >= CrowdSurvey.crowd {
                found += try bodies(in: schedule.closeUps(of: frame.size, share: BodySearch.smallest), of: frame)
            }
        }
        // Of several bodies at one position, the first added wins, so they are added by score.
        for body in found.sorted(by: { $0.score > $1.score }) {
            try add(body, in: frame)
        }
    }

    private mutating func bodies(in parts: [PartSchedule.Part], of frame: VideoFrame) throws -> [BodyLandmarks] {
        var found: [BodyLandmarks] = []
        for part in parts {
            for detection in try detector.detect(in: frame, part: part.region)
            where part.accepts(detection.bodyRegion) && isCandidate(detection.bodyRegion, frame.size) {
                guard !found.contains(where: { $0.covers(detection.bodyRegion) }),
                    !rejected.contains(detection, at: clock.time)
                else { continue }
                let body = try search.verify(detection.bodyRegion, score: detection.score, in: frame)
                if let body, !(part.isCloseUp && manager.isPartOfTrack(body)),
                    try search.evidence(for: Region(middle: body.middle, rim: body.rim), in: frame)
                        >= BodySearch.minimumEvidence.newcomer
                {
                    found.append(body)
                } else {
                    rejected.insert(detection, at: clock.time)
                }
            }
        }
        return found
    }

    /// Checks one track every two seconds, in turn, and drops it when the detector repeatedly sees no person there.
    private mutating func checkTracks(in frame: VideoFrame) throws {
        guard let id = checks.next(of: manager.tracks.map(\.id), at: clock.time),
            let track = manager.tracks.first(where: { $0.id == id })
        else { return }
        let evidence = try search.evidence(for: track.nextRegion, in: frame)
        if checks.isRefuted(id, isDoubtful: evidence < BodySearch.minimumEvidence.tracked) { manager.remove(id) }
    }

    private mutating func nextParts(in frame: VideoFrame) -> [PartSchedule.Part] {
        let isStart = !schedule.hasBegun
        let time = frame.time
        let parts = schedule.parts(of: frame.size, at: clock.time, isAnyoneInView: !manager.tracks.isEmpty)
        if isStart { return parts }
        // A lost person cannot have left a square of six body sizes.
        let around = manager.recentlyLost(at: time).filter { !$0.reference.isBeforeCut }.map { person in
            PartSchedule.Part(
                region: Region(
                    center: person.reference.expectedPosition(at: time), side: person.reference.size * 6, angle: 0),
                isCloseUp: false)
        }
        return around + parts
    }

    private func isCandidate(_ region: Region, _ size: SIMD2<Double>) -> Bool {
        manager.tracks.count < options.maximumPeople && region.isValid(for: size) && !manager.isTracked(region)
    }

    private mutating func add(_ body: BodyLandmarks, in frame: VideoFrame) throws {
        guard manager.tracks.count < options.maximumPeople, !manager.isTracked(body) else { return }
        guard let rival = manager.conflictingTrack(with: body) else {
            manager.add(observation(of: body, in: frame), at: frame.time)
            return
        }
        // One person has two readings, often one upside down. The reading that scores better on verification wins.
        func score(_ body: BodyLandmarks) throws -> Float {
            try search.verify(Region(middle: body.middle, rim: body.rim), score: 1, in: frame)?.score ?? 0
        }
        if try score(body) > Self.correctionFactor * score(rival.body) {
            manager.correct(rival.id, with: body)
        }
    }

    private func observation(of body: BodyLandmarks, in frame: VideoFrame) -> PersonTrackManager.Observation {
        PersonTrackManager.Observation(body: body, appearance: Appearance(of: body, in: frame))
    }
}

extension VideoFrame {
    /// Whether this is a single picture; readers give pictures one tick of one second.
    package var isPicture: Bool { id.range == 0..<1 && id.timescale == 1 }

    /// The frame's time range in its stream; nil for a single picture.
    package var timeRange: CMTimeRange? { isPicture ? nil : id.timeRange }

    package var size: SIMD2<Double> { SIMD2(Double(width), Double(height)) }

    /// A part of the frame, as a picture of its own at the same time.
    package func cropped(to region: NormalizedRect) throws -> VideoFrame {
        guard region != .fullImage else { return self }
        let part = PixelRect(region, width: width, height: height)
        let pixels = try bitmap().part(x: part.x, y: part.y, width: part.width, height: part.height)
        return VideoFrame(bitmap: pixels, id: id)
    }
}
