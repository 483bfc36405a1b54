import Foundation

/// A container's description of its video stream.
struct StreamFacts: Sendable {
    /// FFmpeg's name of the container, such as "mov,mp4,m4a,3gp,3g2,mj2".
    var container: String
    /// Stored columns; 0 when unknown before decoding.
    var width: Int
    /// Stored rows; 0 when unknown before decoding.
    var height: Int
    var timeBase: Rational
    var averageRate: Rational
    var nominalRate: Rational
    var length: StreamLength?
    var frameCount: Int?
    var orientation: PixelOrientation
    /// A pixel's width divided by its height; 0 if the container does not say.
    var pixelAspect = Rational(numerator: 0, denominator: 1)

    /// Frames per second at which the camera recorded, by the tags of the file; nil if they do not say.
    var captureRate: Double?
    /// How many times slower than life the file plays; its times are corrected by this.
    var slowdown = 1.0

    /// The same file with the times of what was filmed.
    func timed(_ timing: FrameTiming) -> StreamFacts {
        var timed = self
        timed.slowdown = isPicture ? 1 : timing.slowdown(rate: frameRate, capture: captureRate)
        guard timed.slowdown != 1 else { return timed }
        timed.timeBase = timeBase.divided(by: timed.slowdown)
        let exact = timeBase.value / timed.timeBase.value
        timed.slowdown = exact
        timed.averageRate = averageRate.divided(by: 1 / exact)
        timed.nominalRate = nominalRate.divided(by: 1 / exact)
        timed.length?.divide(by: exact)
        return timed
    }

    /// Whether the file is a still picture, which FFmpeg reads with one of its "…_pipe" demuxers.
    var isPicture: Bool { container.hasSuffix("_pipe") && container != "gif_pipe" }

    /// Whether the pixel aspect ratio counts. In still pictures it is a printing resolution, which no viewer honours.
    var honoursPixelAspect: Bool { !isPicture && container != "gif" && container != "apng" }

    /// Frames a second; nil if the container does not say.
    var frameRate: Double? { [averageRate, nominalRate].lazy.map(\.value).first { $0 > 0 && $0 <= 1000 } }

    /// Whether the mean rate is the lowest at which all times can be exact.
    var hasConstantRate: Bool { averageRate.value > 0 && averageRate.value == nominalRate.value }

    /// Ticks a second, and ticks in one unit of the stream's time base: integers, so that times stay exact.
    var timescale: Int { max(timeBase.denominator, 1) }
    var ticksPerUnit: Int { max(timeBase.numerator, 1) }

    /// The approximate number of frames from the `first` one decoded, at that time in seconds, for progress bars.
    func expectedFrameCount(from first: Double?) -> Int? {
        if isPicture { return 1 }
        guard let length, let frameRate, length.seconds(from: first) * frameRate < 1e9 else { return frameCount }
        let estimate = max(Int((length.seconds(from: first) * frameRate).rounded()), 1)
        // A container counts frames that an edit list leaves out, too.
        return min(frameCount ?? estimate, estimate)
    }
}

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

struct Rational: Hashable, Sendable {
    var numerator: Int
    var denominator: Int

    /// The quotient; 0 when the denominator is.
    var value: Double { denominator == 0 ? 0 : Double(numerator) / Double(denominator) }

    func seconds(_ units: Int64) -> Double { Double(units) * value }
}

/// Edit lists of QuickTime and MP4 that play parts of a film at other rates, as slow motion of phones does.
///
/// The frames of such a film keep the times at which they were filmed; only the list plays them slower.
enum EditList {
    /// Boxes and entries that are looked at: more than any film of a camera has.
    private static let mostBoxes = 4096
    /// A rate of 1 as fixed point with 16 bits of fraction (ISO/IEC 14496-12, 8.6.6).
    private static let normal = 0x1_0000
    private static let folders: Set<String> = ["moov", "trak", "edts"]

    /// Whether any edit of a film plays at another rate than 1; `read` returns bytes at a place, fewer at the end.
    static func changesRate(_ read: (_ place: Int, _ count: Int) -> [UInt8]) -> Bool {
        guard read(4, 4).elementsEqual("ftyp".utf8) || read(4, 4).elementsEqual("moov".utf8) else { return false }
        var (place, count) = (0, 0)
        while count < mostBoxes {
            count += 1
            let head = read(place, 16)
            guard head.count >= 8 else { return false }
            // Size 1: the size follows in 8 bytes; 0: the box ends the file.
            let short = number(head[0..<4])
            let size = short == 1 && head.count == 16 ? number(head[8..<16]) : short
            let name = String(decoding: head[4..<8], as: UTF8.self)
            if folders.contains(name) {
                place += short == 1 ? 16 : 8
                continue
            }
            if name == "elst", isScaled(read(place + 8, min(size, 20 * mostBoxes))) { return true }
            guard size >= 8, place <= Int.max - size else { return false }
            place += size
        }
        return false
    }

    /// Whether an entry with frames has another rate: its length, its start (-1 without frames) and its rate.
    private static func isScaled(_ list: [UInt8]) -> Bool {
        guard list.count > 8 else { return false }
        let width = list[0] == 1 ? 8 : 4
        let entries = stride(from: 8, to: list.count - 2 * width - 3, by: 2 * width + 4).prefix(number(list[4..<8]))
        return entries.contains { start in
            let (time, rate) = (list[start + width], number(list[(start + 2 * width)..<(start + 2 * width + 4)]))
            return time & 0x80 == 0 && rate != 0 && rate != normal
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(clamping: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
}
