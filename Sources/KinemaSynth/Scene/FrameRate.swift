/// An exact frame rate: one frame lasts `ticksPerFrame` ticks of 1/`timescale` s.
package struct FrameRate: Hashable, Sendable, Codable {
    package let ticksPerFrame, timescale: Int

    package init(ticksPerFrame: Int = 1, timescale: Int) {
        precondition(ticksPerFrame > 0 && timescale > 0, "a frame rate must be positive")
        (self.ticksPerFrame, self.timescale) = (ticksPerFrame, timescale)
    }

    package static let thirty = FrameRate(timescale: 30)

    package var perSecond: Double { Double(timescale) / Double(ticksPerFrame) }

    /// The time of a frame, in seconds from the first one.
    package func seconds(atFrame frame: Int) -> Double { Double(frame * ticksPerFrame) / Double(timescale) }
}
