@testable import KinemaMeasuring
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

/// Angles of known difference, compared.
struct AngleAgreementTests {
    private static let knee = "Right knee"

    private func series(_ times: [Double], _ angle: (Double) -> Double?) -> AngleSeries {
        AngleSeries(times: times, angles: [Self.knee: times.map(angle)])
    }

    private func times(_ count: Int, rate: Double = 50) -> [Double] { (0..<count).map { Double($0) / rate } }

    private func only(_ found: [AngleAgreement]) throws -> AngleAgreement {
        #expect(found.map(\.name) == [Self.knee])
        return try #require(found.first)
    }

    @Test func `a constant difference is bias without spread`() throws {
        let wave: (Double) -> Double? = { 30 + 20 * sin($0) }
        let found = try only(
            AngleAgreement.all(series(times(100)) { wave($0).map { $0 + 3 } }, series(times(100), wave)))
        #expect(found.count == 100 && abs(found.bias - 3) < 1e-9 && abs(found.rmse - 3) < 1e-9)
        #expect(abs(found.limits.lower - 3) < 1e-6 && abs(found.limits.upper - 3) < 1e-6)
        #expect(abs((found.correlation ?? 0) - 1) < 1e-9)
    }

    @Test func `noise is spread without bias`() throws {
        // Differences of 2 and -2 in turn: their standard deviation is 2 times the root of 100 by 99.
        let noisy = series(times(100)) { 30 + 20 * $0 + (Int(($0 * 50).rounded()).isMultiple(of: 2) ? 2 : -2) }
        let found = try only(AngleAgreement.all(noisy, series(times(100)) { 30 + 20 * $0 }))
        let reach = 1.96 * 2 * (100.0 / 99).squareRoot()
        #expect(abs(found.bias) < 1e-9 && abs(found.rmse - 2) < 1e-9)
        #expect(abs(found.limits.lower + reach) < 1e-9 && abs(found.limits.upper - reach) < 1e-9)
        // The ramp's variance is 400 (100² - 1) / 12 / 50², the noise's 4, and their covariance that of two steps.
        let (ramp, both) = (400 * 9999.0 / 12 / 2500, -20 * 2 / 100.0)
        #expect(abs((found.correlation ?? 0) - (ramp + both) / (ramp * (ramp + 4 + 2 * both)).squareRoot()) < 1e-9)
    }

    @Test func `opposite courses correlate by minus one, and a constant has no correlation`() throws {
        let ramp = series(times(50)) { 10 * $0 }
        let opposite = try only(AngleAgreement.all(series(times(50)) { -10 * $0 }, ramp))
        #expect(abs((opposite.correlation ?? 0) + 1) < 1e-9)
        #expect(try only(AngleAgreement.all(series(times(50)) { _ in 4 }, ramp)).correlation == nil)
    }

    @Test func `the offset aligns the clocks, and other rates are interpolated`() throws {
        // The result's clock starts 0.5 s later; a ramp is interpolated exactly.
        let result = series(times(60, rate: 30)) { 10 * ($0 + 0.5) }
        let truth = series(times(200, rate: 100)) { 10 * $0 }
        let aligned = try only(AngleAgreement.all(result, truth, offset: 0.5))
        // Moments from 0.5 to 1.99 s.
        #expect(aligned.count == 45 && aligned.rmse < 1e-9)
        let late = try only(AngleAgreement.all(result, truth))
        #expect(late.count == 60 && abs(late.bias - 5) < 1e-9)
        #expect(AngleAgreement.all(result, truth, offset: 9).isEmpty)
    }

    @Test func `gaps are not bridged, and a full turn is no difference`() throws {
        let truth = AngleSeries(
            times: [0, 0.1, 0.2, 0.9, 1, 1.1], angles: [Self.knee: [1, nil, 1, 1, 1, 1]])
        let result = series([0, 0.05, 0.15, 0.2, 0.5, 0.95, 1.05, 1.2]) { _ in 2 }
        let found = try only(AngleAgreement.all(result, truth))
        #expect(found.count == 4 && found.bias == 1)
        let turned = series(times(20)) { _ in 170 }
        let other = try only(AngleAgreement.all(turned, series(times(20)) { _ in -172 }))
        #expect(abs(other.bias + 18) < 1e-9)
        #expect(AngleAgreement.all(series([0.2]) { _ in 1 }, truth).isEmpty)
    }

    @Test(arguments: [-130.0, 0, 25, 50, 89]) func `markers have the angles of the plane that the hips are square to`(
        turn: Double
    ) throws {
        let figure = MeasuredFigure.walking()
        let right: Set<JointKey> = [.rightHip, .rightShoulder, .rightKnee, .rightAnkle, .rightHeel, .rightFootTip]
        let left: Set<JointKey> = [.leftHip, .leftShoulder, .leftKnee, .leftAnkle, .leftHeel, .leftFootTip]
        let (c, s) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
        func frames(deep: Bool) -> [(time: Double, places: [JointKey: SIMD3<Double>])] {
            times(100).map { time in
                let places = figure.joints(time, figure).map { key, place in
                    let z = !deep ? 0 : right.contains(key) ? 0.1 : left.contains(key) ? -0.1 : 0
                    return (key, deep ? SIMD3(place.x * c - z * s, place.y, place.x * s + z * c) : SIMD3(place, z))
                }
                return (time, Dictionary(uniqueKeysWithValues: places))
            }
        }
        let flat = try #require(AngleSeries(frames(deep: false), view: .side))
        let deep = try #require(AngleSeries(frames(deep: true), view: .side))
        let found = AngleAgreement.all(deep, flat)
        #expect(found.count == 22 && found.allSatisfy { $0.count == 100 && $0.rmse < 0.01 }, "\(found)")
        #expect(found.contains { $0.name == "Neck" } && !found.contains { $0.name == "Pelvis" })
        // Across, the trunk is upright and the hips are level.
        let front = try #require(AngleSeries(frames(deep: true), view: .front))
        #expect(front.angles["Pelvis"]?.allSatisfy { abs($0 ?? 9) < 0.01 } == true && front.angles[Self.knee] == nil)
    }
}
