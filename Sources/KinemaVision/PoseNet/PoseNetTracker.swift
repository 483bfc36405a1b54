import Foundation
package import KinemaCore
package import KinemaMedia

/// People of one stream as PoseNet finds them in each frame anew, numbered by who they were in the frame before.
package struct PoseNetTracker: StreamTracker {
    /// A body may have moved so far between two frames, in body sizes, and so much more a second: what a person covers.
    private static let reach = (least: 0.5, perSecond: 2.0)

    private let detector: PoseNetDetector
    private var roster = PersonRoster()
    private var shots = ShotBoundaryDetector()
    private var lastTime: TimeInterval?

    /// Who was found in a frame, before anyone is numbered.
    package struct Look: Sendable {
        let people: [DecodedPose]
    }

    /// Prepares the model.
    package init(options: PoseNetOptions, store: ModelStore = .shared) throws {
        detector = try PoseNetDetector(options: options, store: store)
    }

    /// Finds everyone in a frame; needs no frame before it, so several frames may be looked at at once.
    package func look(at frame: VideoFrame) throws -> Look {
        Look(people: try detector.people(in: frame))
    }

    /// The people in the stream's next frame, by their numbers.
    package mutating func update(_ frame: VideoFrame) throws -> [Pose] {
        update(frame, seen: try look(at: frame))
    }

    /// The people in the stream's next frame, which was looked at already.
    package mutating func update(_ frame: VideoFrame, seen: Look) -> [Pose] {
        let model = detector.options.model
        let inputSize = CGSize(width: model.inputWidth, height: model.inputHeight)
        var poses = seen.people.map { $0.pose(inputSize: inputSize) }
        if frame.isPicture {
            for index in poses.indices { poses[index].id = index + 1 }
            return poses
        }
        if shots.isCut(frame) {
            roster.scatter()
        }
        let bodies = poses.map { BodyLandmarks($0, width: frame.width, height: frame.height) }
        follow(bodies, in: frame)
        // Every body found is on exactly one track.
        return roster.tracks.compactMap { track in
            guard let index = bodies.firstIndex(where: { $0.points == track.body.points }) else { return nil }
            poses[index].id = track.id
            poses[index].shot = shots.count
            return poses[index]
        }
    }

    private mutating func follow(_ bodies: [BodyLandmarks], in frame: VideoFrame) {
        let passed = max(0, frame.time - (lastTime ?? frame.time))
        lastTime = frame.time
        let matches = matches(of: bodies, within: Self.reach.least + Self.reach.perSecond * passed)
        func sight(_ body: BodyLandmarks) -> PersonRoster.Sighting {
            PersonRoster.Sighting(body: body, appearance: Appearance(of: body, in: frame))
        }
        roster.follow(matches.map { $0.map { sight(bodies[$0]) } }, at: frame.time, areDistinct: true)
        for index in bodies.indices where !matches.contains(index) {
            roster.welcome(sight(bodies[index]), at: frame.time)
        }
    }

    /// The body that continues each track, the nearest pairs first; nil where none is within reach.
    private func matches(of bodies: [BodyLandmarks], within reach: Double) -> [Int?] {
        var pairs: [(distance: Double, track: Int, body: Int)] = []
        for (index, track) in roster.tracks.enumerated() {
            for body in bodies.indices {
                let distance = track.body.distance(to: bodies[body])
                if distance <= reach { pairs.append((distance, index, body)) }
            }
        }
        var matches = [Int?](repeating: nil, count: roster.tracks.count)
        for pair in pairs.sorted(by: { ($0.distance, $0.track, $0.body) < ($1.distance, $1.track, $1.body) })
        where matches[pair.track] == nil && !matches.contains(pair.body) {
            matches[pair.track] = pair.body
        }
        return matches
    }
}
