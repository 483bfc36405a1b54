@testable import KinemaMotion
@testable import KinemaPose
@testable import KinemaCore
@testable import KinemaSynth

extension Stage {
    static let people = [tracking, smoothing]

    /// Two people who walk past each other keep their IDs; each track receives the body nearest to its region.
    private static let tracking = Stage(
        name: "tracking", unit: "a frame of two people", operations: Fixtures.crossingFrames
    ) {
        let scene = SynthScene.crossing()
        var random = RandomSource(seed: 1)
        let frames = (0..<Fixtures.crossingFrames).map { Fixtures.bodies(in: scene, frame: $0, &random) }
        return {
            var manager = PersonTrackManager()
            for (index, bodies) in frames.enumerated() {
                let observations = manager.tracks.map { track -> PersonTrackManager.Observation? in
                    func distance(_ body: BodyLandmarks) -> Double { (body.middle - track.nextRegion.center).length }
                    return bodies.min { distance($0) < distance($1) }.map { .init(body: $0) }
                }
                let time = Double(index) / 30
                manager.update(with: observations, at: time)
                for body in bodies where !manager.isTracked(body) { manager.add(.init(body: body), at: time) }
            }
            return manager.tracks.count
        }
    }

    private static let smoothing = Stage(name: "smoothing", unit: "a pose", operations: Fixtures.minute) {
        let poses = Fixtures.minuteOfPoses()
        return {
            var smoother = PoseSmoother(aspectRatio: Fixtures.aspectRatio)
            return poses.reduce(0) { $0 + smoother.smooth([$1.pose], at: $1.time).count }
        }
    }
}
