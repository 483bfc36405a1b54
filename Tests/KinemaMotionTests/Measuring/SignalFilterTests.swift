@testable import KinemaMeasuring
import Foundation
import Testing

struct SignalFilterTests {
    @Test func `the low pass is SciPy's filtfilt`() {
        // scipy.signal: filtfilt(*butter(2, 6 / 25), x, padlen=9)
        let values: [Double] = [0, 0, 0, 1, 0, 0, 2, 2, 2, 2, 1, 0, 0, 0, 3, 0]
        let expected = [
            -0.003681, 0.07181, 0.177756, 0.332913, 0.57432, 0.938617, 1.362378, 1.674402, 1.72977, 1.509788, 1.128309,
            0.774384, 0.58254, 0.502945, 0.336616, -0.003979,
        ]
        let found = SignalFilter.lowPass(values, cutOff: 6, rate: 50)
        for (one, other) in zip(found, expected) { #expect(abs(one - other) < 2e-6, "\(found)") }
    }

    @Test func `a slow movement keeps its size and time, a fast one vanishes`() {
        func wave(_ hertz: Double) -> [Double] { (0..<120).map { sin(2 * .pi * hertz * Double($0) / 60) } }
        let slow = SignalFilter.lowPass(wave(1), cutOff: 6, rate: 60)
        #expect(zip(slow, wave(1)).dropFirst(10).dropLast(10).allSatisfy { abs($0 - $1) < 0.01 })
        let fast = SignalFilter.lowPass(wave(20), cutOff: 6, rate: 60)
        #expect(fast.dropFirst(10).dropLast(10).allSatisfy { abs($0) < 0.02 })
    }

    @Test func `a signal of few frames a second, or of few frames, stays as it is`() {
        let values = (0..<40).map { Double($0 % 3) }
        #expect(SignalFilter.lowPass(values, cutOff: 6, rate: 12) == values)
        #expect(SignalFilter.lowPass(Array(values.prefix(9)), cutOff: 6, rate: 60) == Array(values.prefix(9)))
    }

    @Test func `an outlier is replaced, a step is not`() {
        var values = (0..<20).map { 0.01 * Double($0) }
        values[9] = 0.8
        let found = SignalFilter.hampel(values, least: 0.005)
        #expect(abs(found[9] - 0.09) < 0.011 && found[5] == values[5])
        let step = [Double](repeating: 0, count: 10) + [Double](repeating: 1, count: 10)
        #expect(SignalFilter.hampel(step, least: 0.005) == step)
    }

    @Test(arguments: [(1, true), (3, true), (4, false)]) func `only short gaps are filled`(_ gap: (Int, Bool)) {
        var values = (0..<12).map(Double.init)
        for index in 5..<5 + gap.0 { values[index] = .nan }
        let found = SignalFilter.filled(values, longest: 3)
        #expect(found[5].isFinite == gap.1)
        if gap.1 { #expect(zip(found, (0..<12).map(Double.init)).allSatisfy { abs($0 - $1) < 1e-12 }) }
        let open = SignalFilter.filled([.nan, 1, .nan], longest: 3)
        #expect(open[0].isNaN && open[2].isNaN)
    }

    @Test func `the parabola through samples is exact`() throws {
        let points = (0..<7).map { index -> (x: Double, y: Double) in
            let x = Double(index)
            return (x, 3 - 2 * x + 0.5 * x * x)
        }
        let found = try #require(SignalFilter.parabola(points))
        #expect(abs(found.0 - 3) < 1e-9 && abs(found.1 + 2) < 1e-9 && abs(found.2 - 0.5) < 1e-9)
        #expect(SignalFilter.parabola([(0, 1), (1, 2)]) == nil)
    }
}
