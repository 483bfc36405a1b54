import Foundation
import KinemaCore
import KinemaMedia

/// Bodies of one stream: landmarks follow the people from frame to frame, the detector looks only for the missing.
struct BodyPoseTracker {
    /// Below this probability of a person the track is lost; MediaPipe's value.
    static let minimumPresence: Float = 0.5

    let options: BodyPoseOptions
    private let detector: BodyDetector
    private let landmarker: BodyLandmarker
    private var roster = PersonRoster()
    private var lastSearch: TimeInterval?

    init(options: BodyPoseOptions, store: ModelStore) throws {
        self.options = options
        detector = try BodyDetector(store: store, precision: options.precision)
        landmarker = try BodyLandmarker(store: store, precision: options.precision)
    }

    /// The people in the stream's next frame.
    mutating func update(_ frame: VideoFrame) throws -> [PersonTrack] {
        let time = frame.time
        let size = SIMD2(Double(frame.width), Double(frame.height))
        let sightings = try roster.tracks.map { try look(at: $0.next, in: frame, size) }
        roster.follow(sightings, at: time)
        if isSearchDue(at: time) {
            lastSearch = time
            try findPeople(in: frame, size)
        }
        return roster.tracks
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
            for body in try search.bodies(in: frame, maximumCount: options.maximumPeople) where !roster.isFollowed(body)
            {
                guard roster.tracks.count < options.maximumPeople else { return }
                roster.welcome(sight(body, in: frame), at: frame.time)
            }
            return
        }
        for detection in try detector.detect(in: frame) {
            guard roster.tracks.count < options.maximumPeople else { return }
            guard !roster.isFollowed(detection.region), detection.region.isSound(for: size) else { continue }
            // The only person in view is believed at once, as MediaPipe does; a further one is looked at twice.
            let sighting =
                roster.tracks.isEmpty
                ? try look(at: detection.region, in: frame, size)
                : try search.examine(detection.region, score: detection.score, in: frame).map { sight($0, in: frame) }
            guard let sighting, !roster.isFollowed(sighting.body) else { continue }
            roster.welcome(sighting, at: frame.time)
        }
    }

    private func look(
        at region: Region, in frame: VideoFrame, _ size: SIMD2<Double>
    ) throws -> PersonRoster.Sighting? {
        guard region.isSound(for: size) else { return nil }
        let body = try landmarker.landmarks(in: frame, region)
        guard body.presence >= Self.minimumPresence, body.middle.x.isFinite, body.rim.x.isFinite else { return nil }
        return sight(body, in: frame)
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
