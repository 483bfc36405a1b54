extension SynthScene {
    /// One person doing one exercise, some repetitions of it with a fault, drawn at random by seed.
    ///
    /// About half of the repetitions are faulty; without a fault named the exercise is done well throughout.
    package static func coached(
        _ movement: Movement, fault: MovementFault?, seed: UInt64, repetitions: Int = 6, view: SynthCamera.View? = nil,
        settings: Settings = Settings()
    ) -> SynthScene {
        var random = RandomSource(seed: seed &+ 0xC0AC)
        var performance = Performance(body: .random(using: &random), swayPhase: random.number(in: 0...6))
        performance.rest(movement, seconds: 1)
        let usual = random.number(in: movement.tempo)
        // The first is right, so that a rest posture that is missed is missed after something.
        for index in 0..<repetitions {
            let isFaulty = fault != nil && index > 0 && random.chance(0.5)
            let faults: Set<MovementFault> =
                isFaulty ? [fault].compactMap(\.self).reduce(into: []) { $0.insert($1) } : []
            let tempo = faults.contains(.tooFast) ? random.number(in: 0.45...0.6) : usual
            performance.repeatOnce(
                movement, seconds: tempo * random.number(in: 0.95...1.05), depth: random.number(in: 0.95...1),
                faults: faults)
        }
        performance.rest(movement, seconds: 1)
        let people = [Person(id: 0, performance: performance)]
        let views = movement.views.filter { fault?.views.contains($0) ?? true }
        let camera = camera(
            on: people, view: view ?? random.pick(views, else: .front), settings: settings,
            looseness: random.number(in: 1.02...1.2), turn: degrees(random.number(in: -10...10)))
        return SynthScene(
            people: people, shots: [Shot(start: 0, camera: camera)],
            backdrop: Backdrop(random.pick(Backdrop.Style.allCases, else: .studio), seed: random.next()),
            settings: settings)
    }
}
