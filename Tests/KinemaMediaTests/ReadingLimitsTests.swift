import Testing

@testable import KinemaMedia

/// What a decoder is asked for and what is accepted.
struct ReadingLimitsTests {
    /// FFmpeg compares the limit with sides that it has rounded up, so 9,990 x 9,990 pixels were refused.
    @Test(arguments: [(9_990, 9_990), (10_000, 10_000), (16_384, 6_100)])
    func `pictures up to the stated limit may be decoded`(width: Int, height: Int) {
        let limits = ReadingLimits()
        #expect(limits.accepts(width: width, height: height))
        #expect((width + 64) * (height + 64) <= limits.codedArea)
        #expect(!limits.accepts(width: 10_001, height: 10_000))
    }
}
