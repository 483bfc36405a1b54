/// How many frames a second, exactly: one frame lasts `ticksPerFrame` ticks of 1/`timescale` s.
package struct FrameRate: Hashable, Sendable, Codable {
    /// Ticks from one frame to the next.
    package let ticksPerFrame: Int
    /// Ticks in a second.
    package let timescale: Int

    /// Makes a rate of `timescale / ticksPerFrame` frames a second.
    package init(ticksPerFrame: Int = 1, timescale: Int) {
        precondition(ticksPerFrame > 0 && timescale > 0, "time moves forward")
        self.ticksPerFrame = ticksPerFrame
        self.timescale = timescale
    }

    /// 30 frames a second.
    package static let thirty = FrameRate(timescale: 30)

    /// Frames a second.
    package var perSecond: Double { Double(timescale) / Double(ticksPerFrame) }

    /// When a frame is shown, seconds from the first.
    package func seconds(atFrame frame: Int) -> Double {
        Double(frame * ticksPerFrame) / Double(timescale)
    }
}
