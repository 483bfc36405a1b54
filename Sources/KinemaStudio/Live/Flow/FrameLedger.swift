/// Keeps the newest frame that waits, and account of every frame: sent = analysed + dropped once nothing waits.
struct FrameLedger<Frame> {
    private(set) var sent = 0
    private(set) var analysed = 0
    private(set) var dropped = 0
    private(set) var waiting: Frame?
    private(set) var isInFlight = false

    /// Takes a frame in; returns the one that waited and is overtaken by it.
    mutating func offer(_ frame: Frame) -> Frame? {
        sent += 1
        defer { waiting = frame }
        if waiting != nil { dropped += 1 }
        return waiting
    }

    /// Counts a frame that never waits because something is wrong with it.
    mutating func refuse() {
        sent += 1
        dropped += 1
    }

    /// Takes the waiting frame out for analysis; nil when none waits or one is still being analysed.
    mutating func take() -> Frame? {
        guard !isInFlight, let frame = waiting else { return nil }
        waiting = nil
        isInFlight = true
        return frame
    }

    /// The frame that was taken has been analysed, or could not be.
    mutating func settle(analysed isAnalysed: Bool) {
        guard isInFlight else { return }
        isInFlight = false
        if isAnalysed { analysed += 1 } else { dropped += 1 }
    }

    /// Gives up the frame that waits, and returns it.
    mutating func giveUp() -> Frame? {
        guard let frame = waiting else { return nil }
        waiting = nil
        dropped += 1
        return frame
    }
}
