import KinemaCore
@testable import KinemaPose
@testable import KinemaSampling
import Foundation
import Testing

struct RegionTests {
    @Test func `an upright body gives an upright square two and a half times the rim`() {
        let region = Region(middle: SIMD2(100, 200), rim: SIMD2(100, 120))
        #expect(region.center == SIMD2(100, 200))
        #expect(abs(region.side - 200) < 1e-9)
        #expect(abs(region.angle) < 1e-9)
        #expect((region.pixel(SIMD2(0, 0)) - SIMD2(0, 100)).length < 1e-9)
        #expect((region.pixel(SIMD2(1, 0.5)) - SIMD2(200, 200)).length < 1e-9)
    }

    @Test func `a body lying with its head to the right turns the square a quarter clockwise`() {
        let region = Region(middle: SIMD2(100, 200), rim: SIMD2(180, 200))
        #expect(abs(region.angle - .pi / 2) < 1e-9)
        // The square's top is where the head is.
        #expect((region.pixel(SIMD2(0.5, 0)) - SIMD2(200, 200)).length < 1e-9)
    }

    @Test(arguments: [Double.nan, .infinity, 0, 1e9])
    func `useless squares are refused`(side: Double) {
        #expect(!Region(center: SIMD2(10, 10), side: side, angle: 0).isValid(for: SIMD2(100, 100)))
    }

    @Test func `squares far outside the picture are refused`() {
        #expect(!Region(center: SIMD2(-500, 10), side: 100, angle: 0).isValid(for: SIMD2(100, 100)))
        #expect(Region(center: SIMD2(-20, 10), side: 100, angle: 0).isValid(for: SIMD2(100, 100)))
    }
}
