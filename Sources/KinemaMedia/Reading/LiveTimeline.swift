/// Places the frames of a live source in time: strictly increasing, by the source's own stamps while it is connected,
/// with the true length of the gap where it was not.
///
/// All numbers are ticks since the first frame came; `arrived` comes from the machine's own clock.
struct LiveTimeline {
    /// Ticks a second: RTP's clock for video (RFC 3551, 5) and MPEG-TS's, so their stamps stay exact.
    static let timescale = 90_000

    /// Jumps of the source's clock against the machine's, which made time be told by the latter.
    private(set) var jumps = 0
    private let followsStamps: Bool
    /// Added to a stamp; nil until the connection's first frame.
    private var offset: Int?
    private var last: Int?
    /// Whether the next frame is the connection's first.
    private var isFresh = true
    /// Ticks from frame to frame, as last seen.
    private var step: Int

    /// More than this between the two clocks is no delay on the way but a jump.
    static var longestDelay: Int { 5 * timescale }
    /// Delays below this come and go with the network and are left alone.
    private static var jitter: Int { timescale / 4 }
    /// A longer lasting difference, as between two quartzes, is made good by this share a frame: slow enough that a delay of
    /// a second changes no step from frame to frame by more than a hundredth.
    private static var correction: Int { 10_000 }

    init(followsStamps: Bool, nominalRate: Double?) {
        self.followsStamps = followsStamps
        // Without any rate, 25 frames a second: what FFmpeg assumes for raw streams.
        step = Int(Double(Self.timescale) / (nominalRate ?? 25))
    }

    /// Takes note that the connection is a new one, whose stamps have nothing to do with those before.
    mutating func reconnect() {
        offset = nil
        isFresh = true
    }

    /// Where a stamp would be placed, for those who wait for its time; nil when the stamp says nothing.
    func due(_ stamp: Int?) -> Int? {
        guard followsStamps, let stamp, let offset else { return nil }
        return stamp + offset
    }

    /// The next frame's stretch: from when it is shown until the one after it is expected.
    mutating func place(stamp: Int?, arrived: Int) -> Range<Int> {
        let start = start(stamp: followsStamps ? stamp : nil, arrived: arrived)
        if let last, !isFresh { step = min(max(start - last, 1), Self.timescale) }
        if let stamp, followsStamps, offset == nil { offset = start - stamp }
        (last, isFresh) = (start, false)
        return start..<start + step
    }

    private mutating func start(stamp: Int?, arrived: Int) -> Int {
        let earliest = last.map { $0 + 1 } ?? 0
        let byClock = last == nil ? 0 : max(arrived, earliest)
        guard let stamp, let offset else { return byClock }
        let start = stamp + offset
        let ahead = start - arrived
        guard start >= earliest, abs(ahead) <= Self.longestDelay else {
            jumps += 1
            self.offset = byClock - stamp
            return byClock
        }
        if abs(ahead) > Self.jitter { self.offset = offset - (ahead - ahead.signum() * Self.jitter) / Self.correction }
        return start
    }
}
