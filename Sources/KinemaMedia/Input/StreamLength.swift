/// The end of an input's pictures, and its source. A container's duration is that of its longest stream, such as sound.
/// Times are seconds on the input's own clock, which need not begin at 0.
struct StreamLength: Hashable, Sendable {
    enum Origin: Hashable, Sendable {
        /// The picture stream's own duration.
        case stream
        /// The duration of the whole container. The pictures end there or before.
        case container
        /// The file's size and bit rate.
        case estimate
    }

    var start: Double
    var end: Double
    var origin: Origin

    /// The numbers that FFmpeg reads from a container; nil for each that is missing.
    struct Statement {
        var container = ""
        var streamStart: Double?
        var streamDuration: Double?
        /// Matroska's DURATION tag of the stream.
        var tag: String?
        /// Whether the tag is a statistic of the stream (mkvmerge), not a time from the file's 0 (FFmpeg).
        var tagIsStatistic = false
        var containerStart: Double?
        var containerDuration: Double?
        var isEstimate = false
    }

    /// The length according to the container's numbers; nil if they are not enough.
    init?(_ statement: Statement) {
        let origin = statement.containerStart ?? 0
        start = statement.streamStart ?? origin
        // In these containers FFmpeg reports no duration for streams, or sometimes the container's.
        let isCopied = ["matroska,webm", "flv", "live_flv", "nut", "asf"].contains(statement.container)
        // For ASF, FFmpeg adds the stream's start to a duration that counts from time 0.
        let longest = [statement.containerDuration, isCopied ? statement.streamDuration : nil].compactMap(\.self).min()
        // Most demuxers count a container's duration from time 0; of those that count from the start it may be shorter.
        let whole = longest.map { $0 > origin ? $0 : origin + $0 }
        if let duration = statement.streamDuration, !isCopied {
            (end, self.origin) = (start + duration, .stream)
        } else if let tag = statement.tag.flatMap(Self.seconds(of:)) {
            let tagged = statement.tagIsStatistic ? start + tag : tag
            // A tag that was copied into a shorter file exceeds the container's duration.
            (end, self.origin) = (min(tagged, whole ?? tagged), .stream)
        } else if let whole {
            (end, self.origin) = (whole, .container)
        } else {
            return nil
        }
        if statement.isEstimate { self.origin = .estimate }
        guard end.isFinite, end > start else { return nil }
    }

    mutating func divide(by factor: Double) { (start, end) = (start / factor, end / factor) }

    /// The length of the pictures from the first one decoded, which may come after the stream's start.
    func seconds(from first: Double?) -> Double {
        // A clock that was set back between the two makes them incomparable.
        guard let first, first < end, abs(first - start) <= end - start else { return end - start }
        return end - first
    }

    /// Reads a tag such as "00:00:06.029000000".
    private static func seconds(of tag: String) -> Double? {
        let parts = tag.split(separator: ":").map { Double($0) }
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2], hours >= 0,
            minutes >= 0, seconds >= 0
        else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }
}
