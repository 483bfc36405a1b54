import Foundation

/// How the times of a file become seconds of what was filmed.
package enum FrameTiming: Codable, Hashable, Sendable {
    /// By the tags that phones and action cameras write into slow motion and time lapses, otherwise as the file states them.
    case tagged
    /// The frames were recorded at this rate per second.
    case recorded(Double)
    /// The film plays at this share of the real speed.
    case speed(Double)

    /// Frames per second from which a recording is slow motion: phones offer 120, 240, 480 and 960. Slower ones state
    /// their rate too, and have fewer frames in the dark, so they are slow motion only if they play at a usual rate.
    private static let leastCapture = 100.0
    /// The rates at which films are played (SMPTE ST 2036-1), and the share by which the mean of a file may differ.
    private static let usualRates = [24 / 1.001, 24, 25, 30 / 1.001, 30], tolerance = 0.01
    /// The rates at which people are filmed: from a frame in a quarter of an hour to cameras for impacts.
    private static let possible = 0.001...10_000
    /// The slowest rate at which slow motion is played: that of cinemas, less its rounding.
    private static let leastPlayback = 23.0
    /// The rates at which slow motion is played when frames were left out later.
    private static let fullPlayback = (usual: 60.0, europe: 50.0)
    /// The ratio of two rates that are the same for a viewer: a few frames may be missing.
    private static let alike = 1.5

    /// Whether a tag of this name states the rate of the recording: `com.android.capture.fps`, `captureFps` of Sony,
    /// `com.apple.quicktime.capture-frame-rate` and the like.
    static func isCaptureRate(_ tag: String) -> Bool {
        let letters = tag.lowercased().filter(\.isLetter)
        return ["capturefps", "captureframerate", "capturerate", "recordingframerate", "recordfps"].contains {
            letters.hasSuffix($0)
        }
    }

    /// The number in a tag such as "240.0", "119.88p" or "240000/1001", even if no camera has such a rate; nil if it is
    /// none or 0.
    static func rate(of text: String) -> Double? {
        let parts = text.split(separator: "/").map { Double($0.filter { $0.isNumber || ".-".contains($0) }) }
        guard (1...2).contains(parts.count), let first = parts[0],
            let rate = parts.count == 1 ? first : parts[1].map({ first / $0 }), rate.isFinite, rate != 0
        else { return nil }
        return rate
    }

    /// The rate among those of a file's tags: a possible one, if there is any.
    static func rate(among rates: [Double]) -> Double? { rates.first(where: possible.contains) ?? rates.first }

    /// Why the rate in a film's tags does not change its times, though it is not the film's; nil if it is.
    func disregarded(rate: Double, capture: Double?) -> String? {
        guard case .tagged = self, let capture, rate > 0, slowdown(rate: rate, capture: capture) == 1 else {
            return nil
        }
        func text(_ rate: Double) -> String { String(format: "%.4g", rate) }
        guard Self.possible.contains(capture) else {
            return "a tag states a recording at \(text(capture)) frames per second, which is impossible: read as played"
        }
        guard capture > rate * Self.alike else { return nil }
        return "a tag states \(text(capture)) frames per second, the film has \(text(rate)), as in the dark: read as "
            + "played (slow motion: --real-rate \(text(capture)))"
    }

    /// How many times slower than life a film with this many frames per second plays: above 1 for slow motion, below 1
    /// for a time lapse. `capture` is the rate in its tags.
    func slowdown(rate: Double?, capture: Double?) -> Double {
        switch self {
        case .speed(let speed): return 1 / speed
        case .recorded(let recorded): return rate.map { recorded / $0 } ?? 1
        case .tagged:
            guard let rate, let capture, Self.possible.contains(capture) else { return 1 }
            if capture * Self.alike < rate { return capture / rate }
            let isUsual = Self.usualRates.contains { abs($0 - rate) < Self.tolerance * $0 }
            guard capture >= Self.leastCapture || isUsual, capture > rate * Self.alike else { return 1 }
            let factor = capture / Self.playback(rate)
            // Rates such as 29.97 stand for 30.
            return abs(factor - factor.rounded()) < 0.02 * factor ? factor.rounded() : factor
        }
    }

    /// The rate at which slow motion was played before frames were left out, if any were: no phone plays it slower than
    /// the cinema does.
    private static func playback(_ rate: Double) -> Double {
        guard rate < leastPlayback else { return rate }
        func divides(_ whole: Double) -> Bool { abs(whole.remainder(dividingBy: rate)) < 0.01 * rate }
        return divides(fullPlayback.europe) && !divides(fullPlayback.usual) ? fullPlayback.europe : fullPlayback.usual
    }
}

extension Rational {
    /// The quotient divided by a factor, which is approximated so that the denominator stays a timescale.
    func divided(by factor: Double) -> Rational {
        let most = Double(Int32.max) / Double(max(denominator, 1))
        let products = (1...1000).map { factor * Double($0) }
        let possible = products.indices.filter { products[$0] <= most && products[$0].rounded() >= 1 }
        let best = possible.first { abs(products[$0] - products[$0].rounded()) < 1e-6 * products[$0] }
        guard let index = best ?? possible.last else { return self }
        return Rational(numerator: numerator * (index + 1), denominator: denominator * Int(products[index].rounded()))
    }
}
