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
        // The standard deviations of the logarithms of lengths and of amplitudes, and that of the times from turn to
        // turn over their mean; "alike" times one minus that.
        "irregular", "uneven", "irregularTurns", "tightness",
        // The logarithms of the joints' amplitude and of the signal's range.
        "amplitude", "range",
        // The share of the window's movement along the signal; the shares of the stretch's movement and time within the
        // run.
        "share", "path", "span",
        // The logarithms of the run's duration and of the median time from turn to turn, and how similar a cycle's
        // second half is to its first.
        "duration", "period", "halves",
        // The logarithm of the path length along the signal over the cycles' amplitudes.
        "detours",
        // How the signal was made and cut, and how many signals and families show the same cycles (a logarithm).
        "hysteresis", "family", "component", "copies", "families",
        // The shares of signals that turn as often, clearly more and clearly less often, and the mean logarithm of how
        // much more often they turn.
        "agreement", "more", "fewer", "density",
        // The median of the cycles' "shape".
        "unlike",
        // How far the body was from where cycles begin in the second before and after the run, in amplitudes; 0.4 where
        // the recording begins or ends there, as the next two flag.
        "before", "after", "openBefore", "openAfter",
        // The logarithm of the time near where cycles begin over the time near where they turn, and the share of time
        // at rest.
        "dwell", "pauses",
        // How the limbs move, see `LimbMotion`.
        "legsApart", "armsApart", "legShare", "armShare", "trunk",
        // The logarithms of how far the body moved in the picture from beginning to end, body sizes, and of how much
        // larger or smaller it became.
        "drift", "growth",
        // The medians of the cycles' "closure", "retrace" and "detour".
        "closures", "retraces", "detourAll",
        // The share of the movement that the mean cycle explains if every second one is mirrored left to right, minus
        // "alike"; and how closely a cycle's second half is the mirror image of its first.
        "alikeMirrored", "mirroredHalves",
        // How unlike the postures are a period apart, half a period, two, one and a half and a third, over chance.
        "samePeriod", "sameHalf", "sameTwo", "sameOneAndHalf", "sameThird",
        // The logarithm of how much joints jitter over the amplitude; how sure the moving joints are; how upright the
        // trunk is (1: head up, -1: head down); the share of movement up and down, and how one-sided it is.
        "noise", "confidence", "upright", "vertical", "oneSided",
        // Whether poses were stretched to the picture; the logarithms of the joints' speed in the stretch and in the
        // run, and of the speed outside over that inside.
        "stretched", "speed", "runSpeed", "restSpeed",
        // Of the network: the count of the stretch and of the run, the logarithms of those over the run's cycles, the
        // shares of the run's rows inside repetitions and of all such rows within the run, and how many repetitions a
        // second lie outside it, and in all before and after it.
        "netCount", "netRun", "netTotalRatio", "netRatio", "netInside", "netCover", "netOutside", "netBefore",
        "netAfter",
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
        // Whether the view changes or nobody is seen within it; the time from the cycle before it and to the one after
        // it, median cycles; whether the stretch ends or begins within it.
        "broken", "gapBefore", "gapAfter", "openEnd", "openStart",
        // Of the network: its repetitions within the cycle, the share of rows inside repetitions, how sure a boundary
        // lies at its start, turn and end, how far its repetitions are from one, and how much of them lie before the turn.
        "netCycle", "netIn", "netStart", "netTurn", "netEnd", "netOff", "netHalf",
    ]

    static func place(of name: String) -> Int { whole.firstIndex(of: name) ?? 0 }
    static func place(ofEach name: String) -> Int { each.firstIndex(of: name) ?? 0 }

    /// The stretch of movement that runs are found in.
    struct Context {
        let track: MovementTrack
        /// The smoothed joints, body sizes, and how far the body had moved by each row.
        let placed: [JointRow], centred: [JointRow], path: [Float]
        let network: NetworkReading
    }

    /// The value of "before" and "after" where nothing is seen, and the least time that must be seen, seconds.
    private static let unknown: (away: Float, least: Double) = (0.4, 0.3)
    /// Being this near to where cycles begin or turn counts as dwelling there, amplitudes.
    private static let near: Float = 0.25

    private let run: [Cycle]
    private let signal: CandidateSignal
    private let hysteresis: Float
    private let context: Context
    private let (copies, families): (Int, Int)
    private let lengths: [Float]
    private let sizes: [Float]
    private let (first, last): (Int, Int)
    /// Where cycles begin along the signal, and how far they go.
    private let rest: Float, reach: Float
    private let shapes: CycleShapes, shapesPlaced: CycleShapes, mirrored: CycleShapes
    private let unlikeness: [Float]
    private let ways: [(closure: Float, retrace: Float, detour: Float)]

    private var track: MovementTrack { context.track }
    private var network: NetworkReading { context.network }

    /// Measures a run of at least one cycle.
    init(
        _ run: [Cycle], _ signal: CandidateSignal, _ hysteresis: Float, _ context: Context, copies: Int, families: Int
    ) {
        (self.run, self.signal, self.hysteresis, self.context) = (run, signal, hysteresis, context)
        (self.copies, self.families) = (copies, families)
        lengths = run.map { log($0.length * Float(context.track.interval)) }
        sizes = run.map { log(max($0.amplitude, 1e-6)) }
        (first, last) = (run.first?.start ?? 0, run.last?.end ?? 0)
        rest = median(run.map { signal.values[$0.start] } + [signal.values[last]])
        reach = exp(median(sizes))
        shapes = CycleShapes(run, in: context.centred)
        shapesPlaced = CycleShapes(run, in: context.placed)
        mirrored = CycleShapes(run, in: context.centred, mirroring: true)
        (unlikeness, ways) = (shapes.unlikeness, shapes.ways)
    }

    /// The evidence of the run and of each cycle; that of other signals is 0 as yet.
    var values: (whole: [Float], each: [[Float]]) {
        (rhythm + surroundings + body + picture + ofNetwork, eachCycle)
    }

    /// From "count" to "unlike".
    private var rhythm: [Float] {
        let turns = zip(run, run.dropFirst()).map { Float($1.turn - $0.turn) }
        let irregularTurns =
            turns.count > 1 ? Self.deviation(turns) / max(1, Self.mean(turns)) : Self.deviation(lengths)
        let steps: [Float] = (first..<last).map { signal.values[$0 + 1] - signal.values[$0] }
        let way = steps.reduce(0) { $0 + abs($1) }
        let reached = max(run.reduce(0) { $0 + $1.out + $1.back }, 1e-9)
        let rows = Float(last - first + 1)
        return [
            log(Float(run.count)), shapes.likeness, shapesPlaced.likeness, shapes.likenessInPairs,
            Self.deviation(lengths), Self.deviation(sizes), irregularTurns,
            shapes.likeness * (1 - min(1, irregularTurns)), log(shapes.amplitude + 1e-3), log(signal.range + 1e-3),
            signal.share, pathInside / max(context.path[context.path.count - 1], 1e-9), rows / Float(track.count),
            log(rows * Float(track.interval)), log(period * Float(track.interval)), shapes.halves,
            log(max(1, way / reached)), hysteresis,
            Float(CandidateSignal.Family.allCases.firstIndex(of: signal.family) ?? 0), Float(signal.component),
            log(Float(copies)), Float(families), 0, 0, 0, 0, median(unlikeness),
        ]
    }

    /// From "before" to "pauses".
    private var surroundings: [Float] {
        let second = Int(1 / track.interval)
        let before = away(max(0, first - second)..<first)
        let after = away(min(last + 1, track.count)..<min(last + 1 + second, track.count))
        let rows = Float(last - first + 1)
        return [
            before ?? Self.unknown.away, after ?? Self.unknown.away, before == nil ? 1 : 0, after == nil ? 1 : 0,
            dwell(rows), 1 - run.reduce(0) { $0 + $1.length } / rows,
        ]
    }

    /// From "legsApart" to "sameThird".
    private var body: [Float] {
        let limbs = LimbMotion(shapes, shapesPlaced)
        let went = track.middle(last) - track.middle(first)
        let around = max(0, first - Int(period / 2))..<min(track.count, last + Int(period / 2))
        return [
            limbs.legsApart, limbs.armsApart, limbs.legShare, limbs.armShare, limbs.trunk,
            log((went * went).sum().squareRoot() + 0.1),
            log(abs(log(track.sizes[last] / max(track.sizes[first], 1e-3))) + 0.05), median(ways.map(\.closure)),
            median(ways.map(\.retrace)), median(ways.map(\.detour)), mirrored.likeness - shapes.likeness,
            shapes.mirroredHalves,
        ] + sameness(around)
    }

    /// From "noise" to "restSpeed".
    private var picture: [Float] {
        let rows = first...last
        var jitter: Float = 0
        for row in max(1, first)..<max(max(1, first) + 1, min(last, track.count - 2)) where row + 1 < track.count {
            let middle = (track.placed[row - 1] + track.placed[row + 1]) * 0.5
            jitter += (track.placed[row] - middle).absolute / Float(JointRow.lanes)
        }
        var confidences = SIMD16<Float>()
        var upright: Float = 0
        for row in rows {
            let body = track.placed[row]
            confidences += track.confidences[row]
            let trunk =
                body.point(BodyJoints.shoulders.0) + body.point(BodyJoints.shoulders.1)
                - body.point(BodyJoints.hips.0) - body.point(BodyJoints.hips.1)
            upright += trunk.y / ((trunk * trunk).sum().squareRoot() + 1e-6)
        }
        let moves = shapes.movesOfJoints
        let all = moves.reduce(0) { $0 + $1.sum() } + 1e-9
        let sure = (0..<JointRow.joints).reduce(Float(0)) { $0 + moves[$1].sum() * confidences[$1] }
        let left = BodyJoints.pairs.reduce(Float(0)) { $0 + moves[$1.0].sum() }
        let right = BodyJoints.pairs.reduce(Float(0)) { $0 + moves[$1.1].sum() }
        let rate = Float(MovementTrack.rate), count = Float(rows.count)
        let whole = context.path[context.path.count - 1]
        let outside = Float(track.count) - count
        let (speed, restSpeed) = (pathInside / max(1, count - 1), (whole - pathInside) / max(1, outside))
        return [
            log(jitter / count / (shapes.amplitude + 1e-3) + 1e-3), sure / count / all, upright / count,
            moves.reduce(0) { $0 + $1.y } / all, abs(left / (left + right + 1e-9) - 0.5), track.isStretched ? 1 : 0,
            log(whole / Float(track.count) * rate + 1e-3), log(speed * rate + 1e-3),
            log((restSpeed + 1e-4) / (speed + 1e-4)),
        ]
    }

    /// From "netCount" to "netAfter".
    private var ofNetwork: [Float] {
        let (count, total) = (Float(run.count), network.count)
        let (before, after) = (network.count(until: first), total - network.count(until: last))
        let own = total - before - after
        let inside = network.rowsInside(until: last) - network.rowsInside(until: first)
        let seconds = Float(Double(track.count - (last - first)) * track.interval)
        return [
            total, own, log((total + 0.2) / (count + 0.2)), log((own + 0.2) / (count + 0.2)),
            inside * Float(RepetitionNetwork.stride) / Float(max(1, last - first)),
            (inside + 0.1) / (network.rowsInside(until: track.count) + 0.1), (total - own) / max(1, seconds), before,
            after,
        ]
    }

    private var eachCycle: [[Float]] {
        let (middleSize, middleLength) = (median(sizes), median(lengths))
        let typical = max(1, median(run.map(\.length)))
        return run.indices.map { index in
            let cycle = run[index]
            let (size, length) = (sizes[index] - middleSize, lengths[index] - middleLength)
            let end: Float = index == 0 || index == run.count - 1 ? 1 : 0
            // No cycle of a run is more unlike than 2.
            let neighbour = min(
                index > 0 ? unlikeness[index - 1] : 2, index < run.count - 1 ? unlikeness[index + 1] : 2)
            let before = Float(cycle.start - (index > 0 ? run[index - 1].end : 0)) / typical
            let after = Float((index < run.count - 1 ? run[index + 1].start : track.count - 1) - cycle.end) / typical
            let broken = track.isBroken[cycle.start..<max(cycle.start, cycle.end)].dropFirst().contains(true)
            return [
                unlikeness[index], neighbour, size, length, abs(size), abs(length),
                log((min(cycle.out, cycle.back) + 1e-6) / (max(cycle.out, cycle.back) + 1e-6)), 0, 0, end,
                end * unlikeness[index], end * size, ways[index].closure, ways[index].retrace, ways[index].detour,
                broken ? 1 : 0, min(5, max(0, before)), min(5, max(0, after)), cycle.to >= track.count - 2 ? 1 : 0,
                cycle.from <= 1 ? 1 : 0,
            ] + network(of: cycle)
        }
    }

    /// From "netCycle" to "netHalf".
    private func network(of cycle: Cycle) -> [Float] {
        let (start, turn) = (network.count(until: cycle.start), network.count(until: cycle.turn))
        let own = network.count(until: cycle.end) - start
        let inside = network.rowsInside(until: cycle.end) - network.rowsInside(until: cycle.start)
        return [
            own, inside * Float(RepetitionNetwork.stride) / max(1, cycle.length), network.boundary(at: cycle.start),
            network.boundary(at: cycle.turn), network.boundary(at: cycle.end), abs(log((own + 0.1) / 1.1)),
            (turn - start) / (own + 0.05),
        ]
    }

    // MARK: Parts

    private var pathInside: Float { context.path[min(last, context.path.count - 1)] - context.path[first] }

    /// The median time from turn to turn, rows; of one cycle its length.
    private var period: Float {
        run.count > 1
            ? max(1, median(zip(run, run.dropFirst()).map { Float($1.turn - $0.turn) })) : max(1, run[0].length)
    }

    /// How unlike postures are so many periods apart, over what chance gives (about 1).
    private func sameness(_ rows: Range<Int>) -> [Float] {
        let middle = JointRow.mean(context.centred[rows])
        let spread =
            2 * rows.reduce(Float(0)) { $0 + (context.centred[$1] - middle).squared } / Float(max(1, rows.count))
        let periods: [Float] = [1, 0.5, 2, 1.5, 1 / 3]
        return periods.map { share in
            let lag = Int((period * share).rounded())
            guard lag >= 1, rows.count - lag >= 4 else { return 1 }
            let apart = rows.dropLast(lag).reduce(Float(0)) {
                $0 + (context.centred[$1 + lag] - context.centred[$1]).squared
            }
            return min(2.5, apart / Float(rows.count - lag) / (spread + 1e-9))
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

    private static func mean(_ values: [Float]) -> Float { values.reduce(0, +) / Float(max(1, values.count)) }

    private static func deviation(_ values: [Float]) -> Float {
        let mean = mean(values)
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(max(1, values.count))).squareRoot()
    }
}
