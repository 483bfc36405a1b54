import Foundation
import KinemaCore

/// A column of times in another program's file. Its name, its steps and its span decide together what its unit is.
struct TimeColumn: Sendable, Hashable {
    /// Units, by the count in a second.
    enum Unit: Double, CaseIterable {
        case seconds = 1
        case milliseconds = 1e3
        case microseconds = 1e6
        case nanoseconds = 1e9
    }

    /// What the times of a file are.
    enum Reading: Hashable {
        case times(Unit, note: String?)
        /// Frames are counted, not timed.
        case frames(note: String)
        case impossible(String)
    }

    let name: String
    /// The unit in the name; nil if it has none.
    private let stated: Unit?
    /// Whether the file has dates or times of day, which are read as seconds.
    var isClock = false

    private static let times: Set<String> = [
        "time", "times", "t", "ts", "timestamp", "timestamps", "datetime", "pts", "elapsed",
    ]
    private static let units: [String: Unit] = [
        "s": .seconds, "sec": .seconds, "secs": .seconds, "second": .seconds, "seconds": .seconds,
        "ms": .milliseconds, "msec": .milliseconds, "msecs": .milliseconds, "millis": .milliseconds,
        "millisecond": .milliseconds, "milliseconds": .milliseconds, "us": .microseconds, "µs": .microseconds,
        "μs": .microseconds, "usec": .microseconds, "micros": .microseconds, "microsecond": .microseconds,
        "microseconds": .microseconds, "ns": .nanoseconds, "nsec": .nanoseconds, "nanos": .nanoseconds,
        "nanosecond": .nanoseconds, "nanoseconds": .nanoseconds,
    ]
    /// Words that a name may have besides.
    private static let others: Set<String> = ["frame", "video", "in", "rel", "relative", "unix", "epoch", "pos"]
    /// Seconds between two frames of a body that moves, if only the steps say so, and if the name states the unit.
    private static let (likely, possible) = (0.001...1.5, 0.0005...10.0)

    /// The column of a name; nil if that does not mean times.
    init?(_ name: String) {
        var (isTime, unit) = (false, Unit?.none)
        for word in PoseColumns.words(name) {
            if let found = Self.units[word] {
                unit = found
            } else if Self.times.contains(word) {
                isTime = true
            } else if let (time, found) = Self.split(word) {
                (isTime, unit) = (isTime || time, found)
            } else if !Self.others.contains(word) {
                return nil
            }
        }
        guard isTime || unit != nil, name.count > 1 || isTime else { return nil }
        (self.name, stated) = (name, unit)
    }

    /// The parts of words such as `timestampms`.
    private static func split(_ word: String) -> (Bool, Unit)? {
        times.sorted { $0.count > $1.count }.lazy.compactMap { time in
            word.hasPrefix(time) ? units[String(word.dropFirst(time.count))].map { (true, $0) } : nil
        }.first
    }

    /// Decides what increasing times mean.
    func reading(_ times: [Double]) -> Reading {
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        guard !isClock, !steps.isEmpty else { return .times(stated ?? .seconds, note: nil) }
        let step = steps.median
        if stated == nil, steps.allSatisfy({ $0 == $0.rounded() }), step == 1 {
            return .frames(note: "the column \(name) counts frames")
        }
        let named = stated ?? .seconds
        if (stated == nil ? Self.likely : Self.possible).contains(step / named.rawValue) {
            return .times(named, note: nil)
        }
        guard let unit = Unit.allCases.first(where: { Self.likely.contains(step / $0.rawValue) }) else {
            return .impossible(
                "has steps of \(step) in the column \(name), which no unit makes the time between two frames")
        }
        let seconds = step / named.rawValue
        let reason = "a frame every \(seconds.text(seconds >= 1 ? 0 : 6)) s is not possible"
        return .times(unit, note: "the column \(name) as \(unit), since \(reason)")
    }

    // MARK: - Dates and times of day

    /// The seconds of a date with a time (ISO 8601) since 1970, or of a time of day; nil for anything else.
    static func seconds(of clock: String) -> Double? {
        guard clock.contains(":") else { return nil }
        let halves = clock.split { $0 == "T" || $0 == " " }
        guard (1...2).contains(halves.count), let time = halves.last.map({ zoned($0) }) else { return nil }
        let parts = time.text.split(separator: ":", omittingEmptySubsequences: false).map {
            Double($0.replacing(",", with: "."))
        }
        guard (2...3).contains(parts.count), !parts.contains(nil) else { return nil }
        let seconds = zip(parts.compactMap(\.self), [3600.0, 60, 1]).map { $0 * $1 }.reduce(0, +) - time.shift
        guard halves.count == 2 else { return seconds }
        return day(halves[0]).map { Double($0) * 86_400 + seconds }
    }

    /// A time of day without its zone, and the zone's seconds.
    private static func zoned(_ text: Substring) -> (text: Substring, shift: Double) {
        if text.hasSuffix("Z") { return (text.dropLast(), 0) }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return (text, 0) }
        let zone = text[text.index(after: sign)...].filter(\.isNumber)
        let (hours, minutes) = (Double(zone.prefix(2)) ?? 0, Double(zone.dropFirst(2)) ?? 0)
        return (text[..<sign], (text[sign] == "-" ? -60 : 60) * (60 * hours + minutes))
    }

    /// Days since 1970 of a date such as 2026-11-29 in the Gregorian calendar.
    private static func day(_ text: Substring) -> Int? {
        let parts = text.split { $0 == "-" || $0 == "/" }.map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            (1900...2200).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        // Years begin in March, so that leap days come last.
        let (y, m) = (month > 2 ? year : year - 1, (month + 9) % 12)
        return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468
    }
}
