internal import KinemaCore

extension SynthScene {
    /// People of different builds and clothes, seen from just above eye level: four of ten exercise in rows, the others
    /// walk through them, stop to talk, leave the picture and come back.
    package static func crowd(
        people count: Int, seed: UInt64 = 1, seconds: Double = 12,
        settings: Settings = Settings(width: 960, height: 540, frameRate: FrameRate(timescale: 25))
    ) -> SynthScene {
        var plan = CrowdPlan(count: count, seconds: seconds, seed: seed)
        let aspect = Double(settings.width) / Double(settings.height)
        let camera = plan.stage.camera
        let performances = plan.performances(aspect: aspect)
        return SynthScene(
            people: performances.enumerated().map { Person(id: $0, performance: $1) }, camera: camera,
            settings: settings, duration: seconds, room: &plan.random)
    }
}

/// The floor that a crowd moves on, in metres; its middle is the origin.
private struct CrowdStage {
    /// The nearest and the farthest people's distance from the camera.
    let depths: ClosedRange<Double>

    /// The camera's height: just above everyone's head, as on a tripod.
    static let height = 2.2
    static let fieldOfView = degrees(38)

    init(count: Int) { depths = 5.4...(7.4 + 1.4 * Double(count).squareRoot()) }

    private var middle: Double { (depths.lowerBound + depths.upperBound) / 2 }

    /// The camera looks slightly down on the stage.
    var camera: SynthCamera {
        SynthCamera(
            position: Vector(0, Self.height, middle), target: Vector(0, 0.85, 0), fieldOfView: Self.fieldOfView)
    }

    func place(_ x: Double, depth: Double) -> Vector { Vector(x, 0, middle - depth) }

    func halfWidth(at depth: Double, aspect: Double) -> Double { depth * tangent(Self.fieldOfView / 2) * aspect }
}

/// Makes the timelines of a crowd one by one; each keeps clear of those before it.
private struct CrowdPlan {
    let count: Int
    let seconds: Double
    let stage: CrowdStage
    var random: RandomSource
    /// The positions of everyone planned so far, ten a second.
    private var occupied: [[Vector]] = []

    private static let tick = 0.1
    /// The distance that people keep between their centres, in metres.
    private static let clearance = 0.6
    private static let tries = 40
    /// The share of people who wear the same clothes as one before them.
    private static let alike = 0.3

    init(count: Int, seconds: Double, seed: UInt64) {
        (self.count, self.seconds) = (count, seconds)
        stage = CrowdStage(count: count)
        random = RandomSource(seed: seed &+ 0xC20D)
    }

    mutating func performances(aspect: Double) -> [Performance] {
        let bodies = bodies()
        let slots = slots(aspect: aspect)
        let movements: [Movement] = [.jumpingJack, .squat, .lateralRaise, .shoulderPress, .sideLegRaise, .bicepsCurl]
        let movement = random.pick(movements)
        var performances: [Performance] = []
        for (index, body) in bodies.enumerated() {
            let performance =
                index < slots.count ? exercise(movement, body, at: slots[index]) : walk(body, aspect: aspect)
            occupied.append(places(of: performance))
            performances.append(performance)
        }
        return performances
    }

    private mutating func bodies() -> [Body] {
        var bodies: [Body] = []
        for _ in 0..<count {
            var body = Body.random(using: &random)
            if random.chance(Self.alike), !bodies.isEmpty { body.appearance = random.pick(bodies).appearance }
            bodies.append(body)
        }
        return bodies
    }

    /// The places of those who exercise: two rows in the middle of the stage, the rear one shifted sideways.
    private mutating func slots(aspect: Double) -> [Vector] {
        let exercisers = Int((0.4 * Double(count)).rounded())
        let front = (exercisers + 1) / 2
        let middle = (stage.depths.lowerBound + stage.depths.upperBound) / 2
        let spacing = min(1.9, 1.6 * stage.halfWidth(at: middle, aspect: aspect) / Double(max(front, 1)))
        return (0..<exercisers).map { index in
            let isFront = index < front
            let column = Double(isFront ? index : index - front) - Double(front - 1) / 2
            return stage.place(
                column * spacing + (isFront ? 0 : 0.3 * spacing) + random.number(in: -0.12...0.12),
                depth: middle + (isFront ? -0.7 : 0.9) + random.number(in: -0.15...0.15))
        }
    }

    private mutating func exercise(_ movement: Movement, _ body: Body, at place: Vector) -> Performance {
        var performance = Performance(
            body: body, placement: Placement(position: place, heading: degrees(random.number(in: -15...15))),
            swayPhase: random.number(in: 0...6))
        performance.add(.idle, seconds: random.number(in: 0.2...1))
        let tempo = random.number(in: movement.tempo)
        while performance.duration < seconds {
            performance.repeatOnce(movement, seconds: tempo * random.number(in: 0.94...1.06))
            if random.chance(0.15) { performance.rest(movement, seconds: random.number(in: 0.4...1)) }
        }
        return performance
    }

    private mutating func walk(_ body: Body, aspect: Double) -> Performance {
        var isRight = random.chance(0.5)
        let isOutside = random.chance(0.3)
        let start = clearest((0..<Self.tries).map { _ in gate(isRight, isOutside: isOutside, aspect) })
        var performance = Performance(
            body: body, placement: Placement(position: start, heading: degrees(random.number(in: -180...180))),
            swayPhase: random.number(in: 0...6))
        if random.chance(0.4) { performance.add(.idle, seconds: random.number(in: 0.2...0.8)) }
        while performance.duration < seconds {
            isRight.toggle()
            let leaves = random.chance(0.35)
            performance = addFreeWalk(
                to: performance, towards: { plan in plan.gate(isRight, isOutside: leaves, aspect) })
            if leaves {
                performance.add(.idle, seconds: random.number(in: 0.6...2))
            } else if random.chance(0.35) {
                performance.add(random.pick([.idle, .talk, .wave]), seconds: random.number(in: 0.5...1.4))
            }
        }
        return performance
    }

    /// A place on one side of the stage, in the picture or beyond its edge.
    private mutating func gate(_ isRight: Bool, isOutside: Bool, _ aspect: Double) -> Vector {
        let depth = random.number(in: stage.depths)
        let half = stage.halfWidth(at: depth, aspect: aspect)
        let x = isOutside ? half + random.number(in: 0.7...1.2) : half * random.number(in: 0.15...0.85)
        return stage.place(isRight ? x : -x, depth: depth)
    }

    /// Adds a walk to a place: the first of several tries that keeps clear of others, or the best.
    private mutating func addFreeWalk(
        to performance: Performance, towards place: (inout CrowdPlan) -> Vector
    ) -> Performance {
        var best: (room: Double, performance: Performance)?
        for _ in 0..<Self.tries {
            var next = performance
            let heading = degrees(random.number(in: -60...60))
            next.walk(to: place(&self), metersPerSecond: random.number(in: 0.8...1.6), thenFacing: heading)
            let room = room(around: next, from: performance.duration)
            if room > best?.room ?? -1 { best = (room, next) }
            if room >= Self.clearance { break }
        }
        return best?.performance ?? performance
    }

    /// The candidate that is farthest from everyone at the start.
    private func clearest(_ candidates: [Vector]) -> Vector {
        func room(_ position: Vector) -> Double { occupied.map { ($0[0] - position).level.length }.min() ?? .infinity }
        return candidates.max { room($0) < room($1) } ?? .zero
    }

    /// The smallest distance to anyone planned, from a time on.
    private func room(around performance: Performance, from start: Double) -> Double {
        var least = Double.infinity
        let last = min(performance.duration, seconds)
        for index in stride(from: Int(start / Self.tick), through: Int(last / Self.tick), by: 1) {
            let position = performance.placement(at: Double(index) * Self.tick).position
            for other in occupied where index < other.count {
                least = min(least, (other[index] - position).level.length)
            }
        }
        return least
    }

    private func places(of performance: Performance) -> [Vector] {
        (0...Int(seconds / Self.tick)).map { performance.placement(at: Double($0) * Self.tick).position }
    }
}
