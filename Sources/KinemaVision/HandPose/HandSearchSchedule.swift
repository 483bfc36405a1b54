import Foundation

/// Decides when and where to look for hands that are not followed.
///
/// Without bodies the whole picture is searched: in every frame after a loss, else at an interval. Where bodies are known,
/// their wrists are searched, or the whole picture if they are large in it: in every frame after a loss, else one a person
/// at a time, in turn with the whole picture, and more rarely while no hand is in view, so that people who show no hands
/// cost little more than without hands.
struct HandSearchSchedule: Sendable {
    /// How long after the last hand in view people are taken to show none, in seconds.
    private static let patience: TimeInterval = 1
    /// The interval between looks at people who show no hands, in seconds: a look takes half as long as following a body.
    private static let restingInterval: TimeInterval = 1.0 / 3
    /// The whole picture is searched as often as this many looks at wrists: it shows the hands of people who are not found.
    private static let looksPerWhole = 3

    /// The interval between searches of the whole picture, in seconds.
    let interval: TimeInterval
    private var lastLook: TimeInterval?
    private var lastWhole: TimeInterval?
    private var lastInView = -TimeInterval.infinity
    private var turn = 0

    init(interval: TimeInterval) { self.interval = interval }

    /// Notes that a hand is in view.
    mutating func saw(at time: TimeInterval) { lastInView = time }

    /// Whether to search the whole picture where no bodies are known; a search that is due is taken to be done.
    mutating func takesWhole(at time: TimeInterval, hasLost: Bool) -> Bool {
        guard let lastWhole, !hasLost, time - lastWhole < interval - 1e-6 else {
            self.lastWhole = time
            return true
        }
        return false
    }

    /// The places to look at where bodies are known.
    ///
    /// - Parameters:
    ///   - whole: The whole picture.
    ///   - wrists: The surroundings of the wrists without a followed hand.
    ///   - people: How many people are in view: as many wrists are looked at a time.
    ///   - hasLost: Whether a hand was lost a moment ago.
    mutating func looks(
        whole: Region, wrists: [Region], people: Int, hasLost: Bool, at time: TimeInterval
    ) -> [Region] {
        if hasLost { return wrists.isEmpty ? [whole] : wrists }
        let showsHands = time - lastInView < Self.patience
        let step = people == 0 || showsHands ? interval : max(interval, Self.restingInterval)
        if let lastLook, time - lastLook < step - 1e-6 { return [] }
        lastLook = time
        turn += 1
        guard !wrists.isEmpty, !turn.isMultiple(of: Self.looksPerWhole + 1) else { return [whole] }
        let count = min(max(1, people), wrists.count)
        return (0..<count).map { wrists[(turn * count + $0) % wrists.count] }
    }
}
