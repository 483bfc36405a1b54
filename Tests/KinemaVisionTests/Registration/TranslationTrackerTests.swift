@testable import KinemaSampling
@testable import KinemaImaging
import KinemaCore
import Foundation
import KinemaSynth
import KinemaTestSupport
import Testing

struct TranslationTrackerTests {
    private func movement(_ one: GrayPicture, _ next: GrayPicture) throws -> TranslationTracker.Movement {
        var tracker = TranslationTracker()
        let first = tracker.update(one)
        #expect(first == nil)
        let second = tracker.update(next)
        return try #require(second)
    }

    /// Up to a fifth of the width, between pixels and on them, in both directions.
    @Test(
        arguments: Sweep.of(
            [
                SIMD2(0.0, 0.0), SIMD2(1, 0), SIMD2(0, -1), SIMD2(0.25, 0.5), SIMD2(-0.37, 0.81), SIMD2(3.5, -2.25),
                SIMD2(17.3, 11.9), SIMD2(-64.4, 30), SIMD2(128, 0), SIMD2(-127.6, -71.5), SIMD2(100.2, 70.7),
            ], or: [SIMD2(0.0, 0.0), SIMD2(-0.37, 0.81), SIMD2(-127.6, -71.5)]))
    func `shifts are found to a tenth of a pixel`(shift: SIMD2<Double>) throws {
        for (noise, least) in [(0.0, 0.95), (0.05 * 255, 0.6)] {
            let terrain = Terrain(seed: 3)
            let found = try movement(
                terrain.picture(noise: noise, seed: 1), terrain.picture(shift: shift, noise: noise, seed: 2))
            let distance = Polygon.distance(found.shift, shift)
            #expect(distance < (noise > 0 ? 0.1 : 0.03), "\(found.shift) with noise \(noise)")
            #expect(found.confidence > least)
        }
    }

    @Test(arguments: [(64, 48), (161, 97), (320, 576), (1023, 40)])
    func `other sizes and shapes work`(width: Int, height: Int) throws {
        let terrain = Terrain(seed: 5)
        let shift = SIMD2(0.15 * Double(width), -0.1 * Double(height))
        let found = try movement(
            terrain.picture(width: width, height: height),
            terrain.picture(width: width, height: height, shift: shift))
        #expect(Polygon.distance(found.shift, shift) < 0.1, "\(found.shift) for \(shift)")
    }

    @Test func `what moves by itself is not the camera`() throws {
        let (terrain, other) = (Terrain(seed: 3), Terrain(seed: 8))
        // A fifth of the picture shows something that moves the other way.
        func picture(_ shift: SIMD2<Double>) -> GrayPicture {
            var picture = terrain.picture(shift: shift)
            let body = other.picture(shift: shift * -3)
            for y in 80..<280 {
                for x in 200..<430 { picture.pixels[y * 640 + x] = body.pixels[y * 640 + x] }
            }
            return picture
        }
        let found = try movement(picture(.zero), picture(SIMD2(2.4, 1.3)))
        #expect(Polygon.distance(found.shift, SIMD2(2.4, 1.3)) < 0.1)
    }

    @Test func `a change of brightness is no movement`() throws {
        let one = Terrain(seed: 4).picture()
        var next = Terrain(seed: 4).picture(shift: SIMD2(5.5, -3.25))
        next.pixels = next.pixels.map { UInt8(min(255, Int($0) + 25)) }
        let found = try movement(one, next)
        #expect(Polygon.distance(found.shift, SIMD2(5.5, -3.25)) < 0.1)
    }

    @Test func `nothing in common gives no confidence`() throws {
        for seed in 10..<16 {
            let found = try movement(Terrain(seed: 9).picture(), Terrain(seed: UInt64(seed)).picture())
            #expect(found.confidence < 0.3)
        }
    }

    @Test func `what shows no movement gives no confidence`() throws {
        let blank = GrayPicture(width: 320, height: 200, pixels: [UInt8](repeating: 77, count: 64000))
        #expect(try movement(blank, blank) == TranslationTracker.Movement(shift: .zero, confidence: 0))
        // Upright stripes say nothing about up and down.
        let stripes = GrayPicture(
            width: 320, height: 200, pixels: (0..<64000).map { UInt8(128 + 100 * sin(Double($0 % 320) / 7)) })
        #expect(try movement(stripes, stripes).confidence < 0.1)
        var random = RandomSource(seed: 2)
        func noise() -> GrayPicture {
            GrayPicture(width: 320, height: 200, pixels: (0..<64000).map { _ in UInt8(random.integer(in: 90...110)) })
        }
        #expect(try movement(noise(), noise()).confidence < 0.1)
    }

    @Test(arguments: [(1, 1), (3, 200), (9, 9), (15, 1)])
    func `tiny pictures give no confidence`(width: Int, height: Int) throws {
        let picture = Terrain(seed: 1).picture(width: width, height: height)
        #expect(try movement(picture, picture).confidence < 0.5)
    }

    @Test func `the transform turns back and knows its frequencies`() {
        let transform = FourierTransform(rows: 16, columns: 32)
        var field = FourierTransform.Field(count: 512)
        for y in 0..<16 {
            for x in 0..<32 {
                field.real[y * 32 + x] = Float(cos(2 * Double.pi * (3 * Double(x) / 32 + 2 * Double(y) / 16)))
            }
        }
        let before = field
        transform.forward(&field)
        // A wave of three turns across and two down, in the transposed spectrum, and its mirror image.
        for index in 0..<512 {
            let isWave = index == 3 * 16 + 2 || index == 29 * 16 + 14
            #expect(abs(field.real[index] - (isWave ? 256 : 0)) < 1e-2 && abs(field.imaginary[index]) < 1e-2)
        }
        transform.inverse(&field)
        for index in 0..<512 { #expect(abs(field.real[index] / 512 - before.real[index]) < 1e-5) }
    }
}
