import Foundation

/// Whether the camera stands still, from the picture's shifts between frames. Their lengths are added over a second;
/// the sample adds 16 signed shifts, so that a shaking hand seems at rest.
struct CameraMotion: Sendable {
    enum State: Sendable {
        case unknown
        case resting
        /// It moves too much to follow the board or a bag.
        case moving
    }

    private(set) var state = State.unknown
    /// The observed time and the moving time, in seconds.
    private(set) var observed = 0.0
    private(set) var moved = 0.0
    private var steps: [(time: TimeInterval, seconds: TimeInterval, length: Double)] = []
    private var last: TimeInterval?

    /// The averaging time of the speed, in seconds: a shaking hand returns within one.
    private static let period = 1.0
    /// The minimum observation before a verdict, in seconds: the sample's 16 frames at 30 fps.
    private static let minimumPeriod = 0.5
    /// The apparent speeds, in picture heights per second, at which the camera starts to move and to rest: rendered
    /// games are followed at 0.025 and no longer at 0.06; wind on a tripod stays below 0.01.
    private static let speeds = (moving: 0.035, resting: 0.025)

    /// Adds a shift in picture heights since the previous frame, nil as none, at a time in seconds.
    mutating func add(shift: Double?, at time: TimeInterval) {
        defer { last = time }
        guard let last, time > last else { return }
        let seconds = time - last
        steps.append((time, seconds, shift ?? 0))
        steps.removeAll { $0.time < time - Self.period }
        let span = steps.reduce(0) { $0 + $1.seconds }
        observed += seconds
        if state == .moving { moved += seconds }
        guard span >= Self.minimumPeriod - 1e-6 else { return }
        let speed = steps.reduce(0) { $0 + $1.length } / span
        state = speed > (state == .moving ? Self.speeds.resting : Self.speeds.moving) ? .moving : .resting
    }

    /// Whether it moved long enough to miss throws.
    var hasMoved: Bool { state == .moving || moved > 0.3 * observed }
}
