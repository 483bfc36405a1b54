import Dispatch
package import Foundation

/// The state of the connection to a camera or a stream.
public enum ConnectionState: Hashable, Sendable, Codable {
    /// The first connection is being made.
    case connecting
    /// Frames are arriving.
    case live
    /// The connection was lost for this reason, a message for the user, and is being retried.
    case reconnecting(reason: String)
}

/// A lost connection to a camera or a stream, which may come back.
struct ConnectionLoss: Error, Hashable {
    var reason: String

    static let ended = ConnectionLoss(reason: "the server ended the stream")
    static let undecodable = ConnectionLoss(reason: "nothing it sent could be decoded")

    static func timedOut(_ timeout: Duration) -> ConnectionLoss {
        ConnectionLoss(reason: "no data arrived for \(seconds(timeout)) s")
    }

    static func frozen(_ timeout: Duration) -> ConnectionLoss {
        ConnectionLoss(reason: "the image has not changed for \(seconds(timeout)) s")
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(Int(duration / .milliseconds(100))) / 10
    }
}

enum MonotonicClock {
    static var now: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

    static func sleep(for duration: Duration) { Thread.sleep(forTimeInterval: duration / .seconds(1)) }
}

extension Thread {
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.name = name
        thread.start()
    }
}

/// Maps a live source's timestamps to strictly increasing time ranges; a reconnection leaves a gap of its true length.
/// All numbers are ticks since the first frame arrived; `arrived` comes from the monotonic clock.
struct LiveTimestampMapper {
    /// Ticks a second: the RTP clock rate for video (RFC 3551, 5) and that of MPEG-TS, so their timestamps stay exact.
    static let timescale = 90_000

    /// Jumps of the source's clock, after which the arrival time counts.
    private(set) var jumps = 0
    private let usesTimestamps: Bool
    /// Added to a timestamp; nil until the connection's first frame.
    private var offset: Int?
    private var last: Int?
    /// Whether the next frame is the first of its connection.
    private var isFresh = true
    /// Ticks between the last two frames.
    private var step: Int

    /// A larger difference between the two clocks is a jump, not a network delay.
    static var maximumDelay: Int { 5 * timescale }
    /// Smaller differences are network jitter and are not corrected.
    private static var jitter: Int { timescale / 4 }
    /// The fraction by which a lasting difference, such as clock drift, shrinks at each frame; a delay of one second
    /// changes no frame interval by more than a hundredth.
    private static var correctionDivisor: Int { 10_000 }

    init(usesTimestamps: Bool, nominalRate: Double?) {
        self.usesTimestamps = usesTimestamps
        // Without a known rate, assume 25 frames a second, as FFmpeg does for raw streams.
        step = Int(Double(Self.timescale) / (nominalRate ?? 25))
    }

    mutating func reconnect() {
        offset = nil
        isFresh = true
    }

    /// The due time of a frame; nil if its timestamp is unusable.
    func due(_ timestamp: Int?) -> Int? {
        guard usesTimestamps, let timestamp, let offset else { return nil }
        return timestamp + offset
    }

    /// The next frame's time range, up to when the following frame is expected.
    mutating func range(timestamp: Int?, arrived: Int) -> Range<Int> {
        let start = start(timestamp: usesTimestamps ? timestamp : nil, arrived: arrived)
        if let last, !isFresh { step = min(max(start - last, 1), Self.timescale) }
        if let timestamp, usesTimestamps, offset == nil { offset = start - timestamp }
        (last, isFresh) = (start, false)
        return start..<start + step
    }

    private mutating func start(timestamp: Int?, arrived: Int) -> Int {
        let earliest = last.map { $0 + 1 } ?? 0
        let byClock = last == nil ? 0 : max(arrived, earliest)
        guard let timestamp, let offset else { return byClock }
        let start = timestamp + offset
        let ahead = start - arrived
        guard start >= earliest, abs(ahead) <= Self.maximumDelay else {
            jumps += 1
            self.offset = byClock - timestamp
            return byClock
        }
        if abs(ahead) > Self.jitter {
            self.offset = offset - (ahead - ahead.signum() * Self.jitter) / Self.correctionDivisor
        }
        return start
    }
}
