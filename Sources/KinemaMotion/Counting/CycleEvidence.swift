import Foundation

/// The named quantities from which cycles are judged to be repetitions or not.
///
/// Logarithms are natural; lengths are in body sizes (`MovementTrack.size`), times in seconds.
struct CycleEvidence {
    /// Measures of a whole run of cycles.
    static let whole = [
        // The logarithm of the number of cycles.
        "count",
        // The share of all movement that the mean cycle explains: for joints relative to the body's centre, for joints
        // in the picture, and with separate means for odd and even cycles.
        "alike", "alikePlaced", "alikeInPairs",
        // The standard deviations of the logarithms of lengths and of amplitudes.
        "irregular", "uneven",
        // The logarithms of the joints' amplitude and of the signal's range.
        "amplitude", "range",
        // The share of the window's movement along the signal; the shares of the stretch's movement and time within the
        // run.
        "share", "path", "span",
        // The logarithm of the median length, and how similar a cycle's second half is to its first.
        "period", "halves",
        // The logarithm of the path length along the signal over the cycles' amplitudes.
        "detours",
        // How the signal was made and cut.
        "hysteresis", "placed", "component",
        // The share of other signals that turn as often, and the mean logarithm of how much more often they turn.
        "agreement", "density",
        // The median of the cycles' "shape".
        "unlike",
        // How far the body was from where cycles begin in the second before and after the run, in amplitudes; 0.4 where
        // the recording begins or ends there, as the next two flag.
        "before", "after", "openBefore", "openAfter",
        // The logarithm of the time near where cycles begin over the time near where they turn, and the share of time
        // at rest.
        "dwell", "pauses",
        // How the limbs move, see `LimbMotion`.
        "legsApart", "armsApart", "legShare", "trunk",
        // The logarithms of how far the body moved in the picture from beginning to end, body sizes, and of how much
        // larger or smaller it became.
        "drift", "growth",
        // The medians of the cycles' "closure", "retrace" and "detour".
        "closures", "retraces", "detourAll",
        // The share of the movement that the mean cycle explains if every second one is mirrored left to right, minus
        // "alike"; and how closely a cycle's second half is the mirror image of its first.
        "alikeMirrored", "mirroredHalves",
    ]
    /// Measures of each cycle of a run.
    static let each = [
        // The logarithm of its distance from the median cycle, and the smaller of its neighbours' distances.
        "shape", "neighbour",
        // The logarithms of its amplitude and length over the medians, and their absolute values.
        "size", "length", "sizeOff", "lengthOff",
        // The logarithm of the smaller of its way out and way back over the larger.
        "balance",
        // How many repetitions the other signals show in it, and how far that is from one.
        "cycleDensity", "cycleDensityOff",
        // Whether it is the first or the last, alone and multiplied by two of the above.
        "end", "endShape", "endSize",
        // The logarithms of how far its end is from its beginning, of how far its way back is from its way out, and of
        // how much longer the joints' path is than straight there and back.
        "closure", "retrace", "detour",
    ]

    static let agreement = whole.firstIndex(of: "agreement") ?? 0
    static let density = whole.firstIndex(of: "density") ?? 0
    static let cycleDensity = each.firstIndex(of: "cycleDensity") ?? 0

    /// The value of "before" and "after" where nothing is seen, and the least time that must be seen, seconds.
    private static let unknown: (away: Float, least: Double) = (0.4, 0.3)
    /// Being this near to where cycles begin or turn counts as dwelling there, amplitudes.
    private static let near: Float = 0.25

    private let run: [Cycle]
    private let signal: CandidateSignal
    private let hysteresis: Float
    private let track: MovementTrack
    private let path: [Float]
    private let lengths: [Float]
    private let sizes: [Float]
    private let (first, last): (Int, Int)
    /// Where cycles begin along the signal, and how far they go.
    private let rest: Float, reach: Float

    /// Measures a run of at least one cycle.
    init(_ run: [Cycle], _ signal: CandidateSignal, _ hysteresis: Float, _ track: MovementTrack, _ path: [Float]) {
        (self.run, self.signal, self.hysteresis, self.track, self.path) = (run, signal, hysteresis, track, path)
        lengths = run.map { log($0.length * Float(track.interval)) }
        sizes = run.map { log(max($0.amplitude, 1e-6)) }
        (first, last) = (run.first?.start ?? 0, run.last?.end ?? 0)
        rest = median(run.map { signal.values[$0.start] } + [signal.values[last]])
        reach = exp(median(sizes))
    }

    func whole(
        _ shapes: CycleShapes, _ placed: CycleShapes, _ mirrored: CycleShapes, _ unlikeness: [Float],
        _ ways: [(closure: Float, retrace: Float, detour: Float)]
    ) -> [Float] {
        let second = Int(1 / track.interval)
        let before = away(max(0, first - second)..<first)
        let after = away(min(last + 1, track.count)..<min(last + 1 + second, track.count))
        let rows = Float(last - first + 1)
        let way = (first..<last).reduce(Float(0)) { $0 + abs(signal.values[$1 + 1] - signal.values[$1]) }
        let reached = max(run.reduce(0) { $0 + $1.out + $1.back }, 1e-9)
        let limbs = LimbMotion(shapes, placed)
        let went = track.middle(last) - track.middle(first)
        let drift = log((went * went).sum().squareRoot() / track.size + 0.1)
        let growth = log(abs(log(track.sizes[last] / track.sizes[first])) + 0.05)
        return [
            log(Float(run.count)), shapes.likeness, placed.likeness, shapes.likenessInPairs,
            Self.deviation(lengths), Self.deviation(sizes),
            log(shapes.amplitude / track.size + 1e-3), log(signal.range / track.size), signal.share,
            (path[last] - path[first]) / max(path[path.count - 1], 1e-9), rows / Float(track.count),
            median(lengths), shapes.halves, log(max(1, way / reached)),
            hysteresis, signal.frame == .placed ? 1 : 0, Float(signal.component), 0, 0, median(unlikeness),
            before ?? Self.unknown.away, after ?? Self.unknown.away, before == nil ? 1 : 0, after == nil ? 1 : 0,
            dwell(rows), 1 - run.reduce(0) { $0 + $1.length } / rows,
            limbs.legsApart, limbs.armsApart, limbs.legShare, limbs.trunk, drift, growth,
            median(ways.map(\.closure)), median(ways.map(\.retrace)), median(ways.map(\.detour)),
            mirrored.likeness - shapes.likeness, shapes.mirroredHalves,
        ]
    }

    func each(_ unlikeness: [Float], _ ways: [(closure: Float, retrace: Float, detour: Float)]) -> [[Float]] {
        let (middleSize, middleLength) = (median(sizes), median(lengths))
        return run.indices.map { index in
            let (size, length) = (sizes[index] - middleSize, lengths[index] - middleLength)
            let end: Float = index == 0 || index == run.count - 1 ? 1 : 0
            // No cycle of a run is more unlike than 2.
            let neighbour = min(
                index > 0 ? unlikeness[index - 1] : 2, index < run.count - 1 ? unlikeness[index + 1] : 2)
            let (out, back) = (run[index].out, run[index].back)
            return [
                unlikeness[index], neighbour, size, length, abs(size), abs(length),
                log((min(out, back) + 1e-6) / (max(out, back) + 1e-6)), 0, 0, end, end * unlikeness[index], end * size,
                ways[index].closure, ways[index].retrace, ways[index].detour,
            ]
        }
    }

    /// The body's mean distance from where cycles begin, amplitudes; nil if too few rows are given.
    private func away(_ rows: Range<Int>) -> Float? {
        guard Double(rows.count) * track.interval >= Self.unknown.least else { return nil }
        return min(2, rows.reduce(0) { $0 + abs(signal.values[$1] - rest) } / Float(rows.count) / reach)
    }

    private func dwell(_ rows: Float) -> Float {
        let turn = median(run.map { signal.values[$0.turn] })
        let values = signal.values[first...last]
        let (near, far) = (
            values.count { abs($0 - rest) < Self.near * reach }, values.count { abs($0 - turn) < Self.near * reach }
        )
        return log((Float(near) / rows + 0.05) / (Float(far) / rows + 0.05))
    }

    private static func deviation(_ values: [Float]) -> Float {
        let mean = values.reduce(0, +) / Float(values.count)
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(values.count)).squareRoot()
    }
}
