import Testing

@testable import KinemaCommands

/// The frames per second that an overlay shows.
struct FrameRateMeterTests {
    /// Frames without pictures come fast.
    @Test(.timeLimit(.minutes(1))) func `any number of frames a second are counted at once`() {
        var meter = FrameRateMeter()
        let start = ContinuousClock.now
        for frame in 0..<600_000 { meter.add(at: start + .microseconds(frame * 5)) }
        #expect(abs((meter.latest ?? 0) - 200_000) < 1)
    }
}
