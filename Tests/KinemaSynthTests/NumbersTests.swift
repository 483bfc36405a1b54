import KinemaCore
import Foundation
import Testing

@testable import KinemaSynth

@Suite struct NumbersTests {
    @Test func `sine and cosine agree with the c library`() {
        for step in -2000...2000 {
            let angle = Double(step) * 0.0173
            #expect(abs(sine(angle) - sin(angle)) < 1e-10)
            #expect(abs(cosine(angle) - cos(angle)) < 1e-10)
        }
    }

    @Test func `arc tangent agrees with the c library all around`() {
        for step in -180...180 {
            let angle = Double(step) * Double.pi / 180
            let (y, x) = (3 * sin(angle), 3 * cos(angle))
            let off = arcTangent(y, x) - atan2(y, x)
            // Plus and minus a half turn are the same direction.
            #expect(min(abs(off), abs(abs(off) - 2 * Double.pi)) < 1e-10, "\(step) degrees")
        }
        #expect(arcTangent(0, 0) == 0)
    }

    @Test func `the generator gives the numbers of its description`() {
        // The first outputs of SplitMix64 from seed 1234567, as its authors' reference code prints them.
        var random = RandomSource(seed: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
        #expect(random.next() == 3_203_168_211_198_807_973)
    }

    @Test func `drawn numbers stay in their range`() {
        var random = RandomSource(seed: 3)
        let numbers = (0..<10_000).map { _ in random.number(in: 2...5) }
        #expect(numbers.allSatisfy { (2...5).contains($0) })
        #expect(abs(numbers.reduce(0, +) / 10_000 - 3.5) < 0.05)
        #expect(Set((0..<200).map { _ in random.integer(in: -1...2) }) == [-1, 0, 1, 2])
    }
}
