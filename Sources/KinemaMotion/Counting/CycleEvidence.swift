import Foundation

/// The named quantities that tell whether cycles are repetitions.
///
/// Logarithms are natural ones; sizes are in body sizes (`MovementTrack.size`), times in seconds.
struct CycleEvidence {
    /// What is measured of a whole run of cycles.
    static let whole = [
        // The logarithm of the number of cycles.
        "count",
        // The share of all movement that the mean cycle explains: of the joints seen from the body's middle, of the joints
        // in the picture, and where every second cycle may be another one.
        "alike", "alikePlaced", "alikeInPairs",
        // The standard deviation of the logarithms of lengths and of amplitudes.
        "irregular", "uneven",
        // The logarithms of the joints' way and of the signal's range.
        "amplitude", "range",
        // The share of the window's movement along the signal; of the stretch's movement and of its time within the run.
        "share", "path", "span",
        // The logarithm of the median length, and how much a cycle's second half is like its first.
        "period", "halves",
        // The logarithm of the way gone along the signal over the cycles' amplitudes.
        "detours",
        // How the signal was made and cut.
        "hysteresis", "placed", "component",
        // The share of other signals that turn as often, and the mean logarithm of how much oftener they do.
        "agreement", "density",
        // The median of the cycles' "shape".
        "unlike",
        // How far from where cycles begin the body was in the second before and after the run, in amplitudes; 0.4 where
        // the recording begins or ends there, which the next two say.
        "before", "after", "openBefore", "openAfter",
        // The logarithm of how much longer it is where cycles begin than where they turn, and the share of time at rest.
        "dwell", "pauses",
        // How the limbs move, see `LimbMotion`.
        "legsApart", "armsApart", "legShare", "trunk",
        // How far the body went in the picture from beginning to end, body sizes, and how much larger or smaller it became:
        // the logarithms.
        "drift", "growth",
        // The medians of the cycles' "closure", "retrace" and "detour".
        "closures", "retraces", "detourAll",
        // The share of the movement that the mean cycle explains if every second one is mirrored, left for right, less "alike";
        // and how much a cycle's second half is the mirror image of its first.
        "alikeMirrored", "mirroredHalves",
    ]
    /// What is measured of each cycle of a run.
    static let each = [
        // The logarithm of its distance from the middle cycle, and the lesser one of its neighbours.
        "shape", "neighbour",
        // The logarithms of its amplitude and length over the medians, and how far these are from 0.
        "size", "length", "sizeOff", "lengthOff",
        // The logarithm of its shorter way over its longer one.
        "balance",
        // How many repetitions the other signals have in it, and how far that is from one.
        "cycleDensity", "cycleDensityOff",
        // Whether it is the first or the last, alone and together with two of the above.
        "end", "endShape", "endSize",
        // The logarithms of how far its end is from its beginning, of how far its way back is from its way out, and of how much
        // longer the way of the joints is than straight there and back.
        "closure", "retrace", "detour",
    ]

    static let agreement = whole.firstIndex(of: "agreement") ?? 0
    static let density = whole.firstIndex(of: "density") ?? 0
    static let cycleDensity = each.firstIndex(of: "cycleDensity") ?? 0

    /// What stands for "before" and "after" where nothing is seen there, and the least that must be seen, seconds.
    private static let unknown: (away: Float, least: Double) = (0.4, 0.3)
    /// As near to where cycles begin or turn counts as dwelling there, amplitudes.
    private static let near: Float = 0.25

    private let run: [Cycle]
    private let signal: CandidateSignal
    private let hysteresis: Float
    private let track: MovementTrack
    private let path: [Float]
    private let lengths: [Float]
    private let sizes: [Float]
    private let (first, last): (Int, Int)
    /// Where along the signal cycles begin, and how far they go.
    private let rest: Float, reach: Float

    /// Looks at a run of at least one cycle.
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
            // 2 is as unlike as any cycle of a run is.
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

    /// How far from where cycles begin the body is in some rows, amplitudes; nil where too little is seen.
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
