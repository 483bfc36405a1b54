internal import KinemaCore

extension SynthScene {
    /// A random scene of 6 to 20 s without exercise: walking, turning, talking, sitting down and picking things up.
    package static func withoutExercise(seed: UInt64) -> SynthScene {
        var random = RandomSource(seed: seed &+ 0x1D1E)
        let body = Body.random(using: &random)
        let home = Placement(heading: degrees(random.number(in: -50...50)))
        let gate = Vector(random.chance(0.5) ? 2.2 : -2.2, 0, random.number(in: -0.8...0.8))
        let walksIn = random.chance(0.4)
        var performance = Performance(
            body: body, placement: walksIn ? Placement(position: gate) : home, swayPhase: random.number(in: 0...6))
        if walksIn {
            performance.walk(to: .zero, metersPerSecond: random.number(in: 0.8...1.5), thenFacing: home.heading)
        }
        var activities = EverydayActivities(home: home)
        let seconds = random.number(in: 6...12)
        while performance.duration < seconds { activities.addNext(&performance, &random) }
        let props = activities.sittings > 0 ? [stool(for: body, at: home)] : []
        return filmed(performance, props: props, in: SynthCamera.View.allCases, isOnFloor: false, &random)
    }
}

/// Chooses the next activity of a person who does not exercise.
private struct EverydayActivities {
    let home: Placement
    private(set) var sittings = 0
    private var pickings = 0, last = -1

    init(home: Placement) { self.home = home }

    /// Adds an activity, never the same twice in a row and none often enough to be a set of repetitions.
    mutating func addNext(_ performance: inout Performance, _ random: inout RandomSource) {
        var next = random.integer(in: 0...5)
        if next == last || (next == 3 && sittings == 2) || (next == 4 && pickings == 2) { next = (next + 1) % 3 }
        last = next
        switch next {
        case 0: walkAbout(&performance, &random)
        case 1:
            performance.turn(
                to: performance.placement.heading + degrees(random.number(in: 60...170))
                    * (random.chance(0.5) ? 1 : -1),
                seconds: random.number(in: 0.9...1.8))
        case 2: performance.add(.talk, seconds: random.number(in: 1.5...4))
        case 3:
            sittings += 1
            goHome(&performance, &random)
            performance.add(.sit, seconds: random.number(in: 2.6...5))
        case 4:
            pickings += 1
            performance.add(.pickUp, seconds: random.number(in: 1.6...3))
        default:
            performance.add(random.chance(0.5) ? .wave : .idle, seconds: random.number(in: 0.8...2.2))
        }
    }

    private func walkAbout(_ performance: inout Performance, _ random: inout RandomSource) {
        performance.walk(
            to: Vector(random.number(in: -1.4...1.4), 0, random.number(in: -0.8...0.6)),
            metersPerSecond: random.number(in: 0.7...1.5), thenFacing: degrees(random.number(in: -60...60)))
    }

    private func goHome(_ performance: inout Performance, _ random: inout RandomSource) {
        performance.walk(
            to: home.position, metersPerSecond: random.number(in: 0.8...1.3), thenFacing: home.heading)
        if performance.placement.heading != home.heading { performance.turn(to: home.heading, seconds: 0.9) }
    }
}
