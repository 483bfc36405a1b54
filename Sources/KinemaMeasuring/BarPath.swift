import KinemaCore

/// The path of a bar held in both hands, and its lifts.
struct BarPath {
    /// The least rise of a lift: metres, and as a share of the bar's whole vertical range. A press is half of that
    /// range if the bar starts from hanging arms.
    private static let (leastRise, leastShare) = (0.1, 0.3)
    /// The share of the rise to ignore at both ends, since a resting bar has no clear onset.
    private static let margin = 0.02

    /// The midpoint of the wrists, or the wrist seen more often if they are rarely seen together.
    let path: JointPath
    /// Metres per second, upwards.
    let speed: [Double]
    private(set) var lifts: [BarLift] = []

    /// Searches a filtered track in metres; nil without wrists.
    init?(_ track: MeasuredTrack) {
        let wrists = [JointKey.leftWrist, .rightWrist].compactMap { track.paths[$0] }
        let seen = wrists.map { wrist in wrist.x.count(where: \.isFinite) }
        guard let most = seen.max(), let better = wrists.first(where: { $0.x.count(where: \.isFinite) == most }) else {
            return nil
        }
        let middle = wrists.count == 2 ? JointPath(middle: wrists[0], wrists[1]) : better
        path = 2 * middle.x.count(where: \.isFinite) > most ? middle : better
        speed = SignalFilter.derivative(path.y, rate: track.rate)
        let known = path.y.indices.filter { path[$0] != nil }
        guard let low = known.map({ path.y[$0] }).min(), let high = known.map({ path.y[$0] }).max() else { return }
        let least = max(Self.leastRise, Self.leastShare * (high - low))
        // The last turning points that are far enough apart.
        guard var (bottom, top) = known.first.map({ ($0, $0) }) else { return }
        var isRising = false
        for index in known {
            if isRising {
                if path.y[index] > path.y[top] { top = index }
                guard path.y[index] < path.y[top] - least else { continue }
                lifts.append(lift(known.filter { (bottom...top).contains($0) }, track))
                (bottom, isRising) = (index, false)
            } else {
                if path.y[index] <= path.y[bottom] { bottom = index }
                if path.y[index] > path.y[bottom] + least { (top, isRising) = (index, true) }
            }
        }
        if isRising { lifts.append(lift(known.filter { (bottom...top).contains($0) }, track)) }
    }

    /// The lift in samples from the lowest position to the highest.
    private func lift(_ samples: [Int], _ track: MeasuredTrack) -> BarLift {
        let (low, high) = (path.y[samples[0]], path.y[samples[samples.count - 1]])
        let margin = Self.margin * (high - low)
        let start = samples.last { path.y[$0] <= low + margin } ?? samples[0]
        let end = samples.first { $0 > start && path.y[$0] >= high - margin } ?? samples[samples.count - 1]
        let inside = samples.filter { (start...end).contains($0) }
        let time = track.times[end] - track.times[start]
        let drift = inside.map { path.x[$0] - path.x[start] }.max { abs($0) < abs($1) } ?? 0
        return BarLift(
            start: track.times[start], end: track.times[end], rise: high - low, drift: drift,
            meanSpeed: (path.y[end] - path.y[start]) / max(time, 1e-6), peakSpeed: inside.map { speed[$0] }.max() ?? 0)
    }
}
