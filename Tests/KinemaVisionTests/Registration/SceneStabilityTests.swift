import Testing

@testable import KinemaVision

struct SceneStabilityTests {
    private func verdicts(_ movements: [(Double, Double)]) -> [SceneStability.Verdict] {
        var stability = SceneStability()
        return movements.map { stability.update(tx: $0.0, ty: $0.1) }
    }

    @Test func `more than fifteen movements are needed`() {
        let found = verdicts([(Double, Double)](repeating: (0.1, -0.1), count: 20))
        #expect(found == Array(repeating: .unknown, count: 15) + Array(repeating: .stable, count: 5))
    }

    @Test func `movements that take each other back are stable`() {
        #expect(verdicts((0..<16).map { ($0 % 2 == 0 ? 40 : -40, 0) }).last == .stable)
    }

    @Test func `the sum of both directions must stay below ten`() {
        #expect(verdicts([(Double, Double)](repeating: (0.25, 0.25), count: 16)).last == .stable)
        #expect(verdicts([(Double, Double)](repeating: (0.3125, 0.3125), count: 16)).last == .unstable)
        #expect(verdicts([(Double, Double)](repeating: (.nan, 0), count: 16)).last == .unstable)
    }

    @Test func `an unstable scene begins anew`() {
        let found = verdicts([(Double, Double)](repeating: (3, 0), count: 16) + Array(repeating: (0, 0), count: 16))
        let beginning = [SceneStability.Verdict](repeating: .unknown, count: 15)
        #expect(found == beginning + [.unstable] + beginning + [.stable])
    }
}
