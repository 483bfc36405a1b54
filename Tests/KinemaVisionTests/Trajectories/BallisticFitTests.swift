@testable import KinemaImaging
import Testing

@Suite struct BallisticFitTests {
    @Test func `an exact motion is found exactly`() throws {
        let samples = (0..<9).map { index in
            let t = 2 + Double(index) * 0.04
            return BallisticFit.Sample(
                time: t, position: SIMD2(0.3 + 0.7 * t, 0.1 + 0.5 * t - 0.8 * t * t), deviation: 0.001)
        }
        let fit = try #require(BallisticFit(samples))
        #expect(abs(fit.acceleration.y + 1.6) < 1e-6)
        #expect(abs(fit.acceleration.x) < 1e-6)
        #expect(abs(fit.position(at: 3).y - (0.1 + 1.5 - 7.2)) < 1e-6)
        #expect(fit.residual < 1e-9)
    }

    @Test func `one sample that lies far off does not bend the motion`() throws {
        var samples = (0..<12).map { index in
            let t = Double(index) / 30
            return BallisticFit.Sample(time: t, position: SIMD2(t, t - 2 * t * t), deviation: 0.001)
        }
        samples[5].position.y += 0.05
        let fit = try #require(BallisticFit(samples))
        #expect(abs(fit.acceleration.y / -4 - 1) < 0.01)
    }

    @Test func `a prior decides where three samples cannot`() throws {
        let samples = (0..<3).map { BallisticFit.Sample(time: Double($0) / 120, position: .zero, deviation: 0.01) }
        let prior = BallisticFit.Prior(mean: SIMD2(0, -2), deviation: SIMD2(0.1, 0.1))
        let fit = try #require(BallisticFit(samples, prior: prior))
        #expect(abs(fit.acceleration.y + 2) < 0.01)
    }

    @Test func `two samples are too few`() {
        let samples = (0..<2).map { BallisticFit.Sample(time: Double($0), position: .zero, deviation: 0.01) }
        #expect(BallisticFit(samples) == nil)
    }

    @Test(arguments: [0.4, 4.0, 40.0]) func `a parabola is found however steep`(curvature: Double) throws {
        let points = (0..<20).map { index in
            let x = 0.4 + Double(index) * 0.01
            return SIMD2(x, 0.9 - curvature * (x - 0.5) * (x - 0.5))
        }
        let parabola = try #require(PathParabola(points))
        #expect(abs(parabola.a / -curvature - 1) < 1e-6)
        #expect(abs(parabola(0.5) - 0.9) < 1e-9)
        let nearest = parabola.nearest(to: SIMD2(0.5, 1.0))
        #expect(abs(nearest.x - 0.5) < 1e-6 && abs(nearest.y - 0.9) < 1e-6)
    }

    @Test func `points above one another have no parabola`() {
        #expect(PathParabola((0..<5).map { SIMD2(0.5, Double($0)) }) == nil)
    }
}
