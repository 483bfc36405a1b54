import Foundation
package import KinemaCore
package import KinemaMedia

/// Bodies of one stream: landmarks follow the people from frame to frame, the detector looks only for the missing.
package struct BodyPoseTracker: Sendable {
    let options: BodyPoseOptions
    private let detector: BodyDetector
    private let landmarker: BodyLandmarker
    private var roster = PersonRoster()
    private var lastSearch: TimeInterval?
    private var partsSearched = 0

    /// Prepares the models; throws `.missingComponent` when one is not installed.
    package init(options: BodyPoseOptions, store: ModelStore = .shared) throws {
        self.options = options
        store.prepare(ModelCatalogue.all, precision: options.precision)
        detector = try BodyDetector(store: store, precision: options.precision)
        landmarker = try BodyLandmarker(store: store, precision: options.precision)
    }

    /// The people in the stream's next frame.
    package mutating func update(_ frame: VideoFrame) throws -> [Pose] {
        let time = frame.time
        let size = SIMD2(Double(frame.width), Double(frame.height))
        let sightings = try roster.tracks.map { try landmarker.body(in: frame, $0.next, isFollowed: true) }
        roster.follow(sightings.map { $0.map { sight($0, in: frame) } }, at: time)
        if isSearchDue(at: time) {
            lastSearch = time
            try findPeople(in: frame, size)
        }
        return roster.tracks.map { $0.body.pose(id: $0.id, width: frame.width, height: frame.height) }
    }

    /// With everyone in view nothing is searched; with someone just lost ten times a second, else twice.
    private func isSearchDue(at time: TimeInterval) -> Bool {
        guard roster.tracks.count < options.maximumPeople else { return false }
        guard let lastSearch, !roster.tracks.isEmpty else { return true }
        let pause = roster.isMissingSomebody(at: time) ? 0.1 : options.searchInterval
        return time - lastSearch >= pause - 1e-6 || time < lastSearch
    }

    private mutating func findPeople(in frame: VideoFrame, _ size: SIMD2<Double>) throws {
        let search = BodySearch(detector: detector, landmarker: landmarker)
        if options.search == .parts || (options.search == .automatic && frame.isPicture) {
            for body in try search.bodies(in: frame, maximumCount: options.maximumPeople) {
                welcome(sight(body, in: frame), at: frame.time)
            }
            return
        }
        for detection in try detector.detect(in: frame) where isWorthALook(detection.region, size) {
            // The only person in view is believed at once, as MediaPipe does; a further one is looked at twice.
            let sighting =
                roster.tracks.isEmpty
                ? try landmarker.body(in: frame, detection.region, isFollowed: false)
                : try search.examine(detection.region, score: detection.score, in: frame)
            if let sighting { welcome(sight(sighting, in: frame), at: frame.time) }
        }
        for part in nextParts(size, at: frame.time) {
            for detection in try detector.detect(in: frame, part: part) where isWorthALook(detection.region, size) {
                guard let body = try search.examine(detection.region, score: detection.score, in: frame) else {
                    continue
                }
                welcome(sight(body, in: frame), at: frame.time)
            }
        }
    }

    /// Where small people are looked for now: around those just lost, and one part of the picture after the other.
    ///
    /// At the start all parts are looked at, so that nobody has to wait for the round.
    private mutating func nextParts(_ size: SIMD2<Double>, at time: TimeInterval) -> [Region] {
        let parts = BodySearch.parts(of: size, shares: [BodySearch.shares[0]])
        defer { partsSearched += 1 }
        if partsSearched == 0 { return parts }
        return roster.placesOfMissing(at: time) + [parts[partsSearched % parts.count]]
    }

    private func isWorthALook(_ region: Region, _ size: SIMD2<Double>) -> Bool {
        roster.tracks.count < options.maximumPeople && region.isSound(for: size) && !roster.isFollowed(region)
    }

    private mutating func welcome(_ sighting: PersonRoster.Sighting, at time: TimeInterval) {
        guard roster.tracks.count < options.maximumPeople, !roster.isFollowed(sighting.body) else { return }
        roster.welcome(sighting, at: time)
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
