import Foundation

/// Decides when and where to search for hands that are not followed. Without bodies the whole picture is searched: in
/// every frame after a loss, else at an interval. With bodies, wrists are searched, or the whole picture if they are
/// large in it: all after a loss, else one per person, and more rarely while no hand is in view.
struct HandSearchSchedule: Sendable {
    /// The time after the last hand in view from which people count as showing none, in seconds.
    private static let patience: TimeInterval = 1
    /// The interval between searches of people who show no hands, in seconds.
    private static let restingInterval: TimeInterval = 1.0 / 3
    /// One search of the whole picture per this many of wrists: it shows the hands of people who are not found.
    private static let wristsPerWhole = 3

    /// The interval between searches of the whole picture, in seconds.
    let interval: TimeInterval
    private var lastSearch: TimeInterval?
    private var lastWhole: TimeInterval?
    private var lastInView = -TimeInterval.infinity
    private var turn = 0

    init(interval: TimeInterval) { self.interval = interval }

    mutating func saw(at time: TimeInterval) { lastInView = time }

    /// Whether to search the whole picture where no bodies are known; a search that is due counts as done.
    mutating func takesWhole(at time: TimeInterval, hasLost: Bool) -> Bool {
        guard let lastWhole, !hasLost, time - lastWhole < interval - 1e-6 else {
            self.lastWhole = time
            return true
        }
        return false
    }

    /// The parts to search where bodies are known.
    ///
    /// - Parameters:
    ///   - whole: The whole picture.
    ///   - wrists: The surroundings of the wrists without a followed hand.
    ///   - people: How many people are in view: as many wrists are searched at a time.
    ///   - hasLost: Whether a hand was lost recently.
    mutating func parts(
        whole: Region, wrists: [Region], people: Int, hasLost: Bool, at time: TimeInterval
    ) -> [Region] {
        if hasLost { return wrists.isEmpty ? [whole] : wrists }
        let showsHands = time - lastInView < Self.patience
        let step = people == 0 || showsHands ? interval : max(interval, Self.restingInterval)
        if let lastSearch, time - lastSearch < step - 1e-6 { return [] }
        lastSearch = time
        turn += 1
        guard !wrists.isEmpty, !turn.isMultiple(of: Self.wristsPerWhole + 1) else { return [whole] }
        let count = min(max(1, people), wrists.count)
        return (0..<count).map { wrists[(turn * count + $0) % wrists.count] }
    }
}
