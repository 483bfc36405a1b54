import Foundation

/// Whether the camera stands still, from how far the picture shifts between frames.
///
/// The sample adds up the shifts of 16 frames, so that a hand that shakes to and fro seems at rest. Here their lengths
/// are added up over a second, which gives the apparent speed however often it turns.
struct CameraMotion: Sendable {
    /// The state of the camera.
    enum State: Sendable {
        /// Not observed for long enough.
        case unknown
        /// It stands still.
        case resting
        /// It moves too much to follow the board or a bag.
        case moving
    }

    /// The state now.
    private(set) var state = State.unknown
    /// How long it has been observed and how long it moved, in seconds.
    private(set) var observed = 0.0
    private(set) var moved = 0.0
    private var steps: [(time: TimeInterval, seconds: TimeInterval, length: Double)] = []
    private var last: TimeInterval?

    /// How long the speed is averaged, in seconds: a shaking hand returns within one.
    private static let period = 1.0
    /// How long it must be observed before it counts as resting or moving, in seconds: the sample's 16 frames at 30 fps.
    private static let minimumPeriod = 0.5
    /// The apparent speed, in picture heights per second, above which the camera moves and below which it rests again.
    /// Rendered games are followed at 0.025 and no longer at 0.06; wind on a tripod stays below 0.01.
    private static let speeds = (moving: 0.035, resting: 0.025)

    /// Adds a shift in picture heights since the frame before, at a time in seconds; a shift that is not known counts
    /// as none.
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

    /// Whether it moved for so much of the time that throws were missed.
    var hasMoved: Bool { state == .moving || moved > 0.3 * observed }
}
