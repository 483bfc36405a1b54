import KinemaCore

extension SynthScene {
    /// A random game of bean-bag toss of at most eight throws, 2 to 4 if `throwCount` is nil; `look` is the board's.
    package static func toss(seed: UInt64, throwCount: Int? = nil, look: BoardLook = .painted) -> SynthScene {
        var random = RandomSource(seed: seed &+ 0x7055)
        let count = min(max(throwCount ?? random.integer(in: 2...4), 1), 8)
        var plan = TossGameBuilder(&random, look, seed: seed)
        for index in 0..<count { plan.throwBag(isFirst: index == 0, &random) }
        plan.end(&random)
        let settings = tossSettings(&random)
        let camera = plan.camera(settings, &random)
        let people = [Person(id: 0, performance: plan.player)] + plan.passers(&random)
        return SynthScene(
            people: people, props: plan.stage.board.cover, camera: camera, settings: settings,
            duration: plan.player.duration, toss: plan.stage, room: &random)
    }

    private static func tossSettings(_ random: inout RandomSource) -> Settings {
        let size = random.pick([(1280, 720), (960, 540), (960, 540), (1024, 576)])
        let rates = [
            FrameRate(timescale: 30), FrameRate(timescale: 30), FrameRate(ticksPerFrame: 1001, timescale: 30000),
            FrameRate(timescale: 25), FrameRate(timescale: 60),
        ]
        return .random(size: size, rates: rates, noise: 0.5...4, brightness: 0.85...1.1, using: &random)
    }
}
