import Foundation
import KinemaCore

/// A column of times in another program's file. Its name, its steps and its span decide together what its unit is.
struct TimeColumn: Sendable, Hashable {
    /// Units, by the count in a second.
    enum Unit: Double, CaseIterable {
        case seconds = 1
        case milliseconds = 1e3
        case microseconds = 1e6
        /// Tenths of a microsecond since the year 1, 1601 or 1970, as Windows and .NET count.
        case ticks = 1e7
        case nanoseconds = 1e9
        /// Days since the year 0 or 1900, as MATLAB and spreadsheets count.
        case days = 1.157407407407407407e-5
        case minutes = 0.016666666666666667
        case hours = 2.77777777777777778e-4
        case deciseconds = 10
        case centiseconds = 100
        /// The time base of MPEG's streams (ISO/IEC 13818-1), and that of QuickTime's films.
        case ninetyKilohertz = 9e4
        case sixHundredths = 600

        /// The units that are assumed where steps and span demand it.
        fileprivate static let assumed: [Unit] = [
            .seconds, .milliseconds, .microseconds, .ticks, .nanoseconds, .days, .ninetyKilohertz,
        ]

        var name: String {
            switch self {
            case .ninetyKilohertz: "ticks of 90 kHz"
            case .sixHundredths: "ticks of 600 Hz"
            default: "\(self)"
            }
        }

        /// Whether times that begin at `start` are at most those of the year 2200, however the unit is counted.
        func isPossible(from start: Double) -> Bool {
            switch self {
            case .ticks: (1e16...7e17).contains(start)
            case .days: (2e4...9e5).contains(start)
            default: start < 7.3e9 * rawValue
            }
        }
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
    /// Whether the name has words besides, so that the column has times only if its numbers are some.
    let isLoose: Bool
    /// Whether the file has dates or times of day, which are read as seconds.
    var isClock = false

    private static let times: Set<String> = [
        "time", "times", "t", "ts", "timestamp", "timestamps", "datetime", "pts", "elapsed",
    ]
    /// Words of names that mean times whatever else they have: also those of other languages.
    private static let looseTimes: Set<String> = [
        "time", "times", "timestamp", "timestamps", "stamp", "datetime", "elapsed", "clock", "datenum", "date", "zeit",
        "temps", "tiempo", "tempo", "tijd", "tid", "czas", "aika", "время", "时间", "時間", "ts", "unixtime",
        "timecode", "when", "zeitstempel", "horodatage", "seconds", "milliseconds", "microseconds",
        "nanoseconds", "minutes", "hours",
    ]
    private static let units: [String: Unit] = [
        "s": .seconds, "sec": .seconds, "secs": .seconds, "second": .seconds, "seconds": .seconds,
        "ms": .milliseconds, "msec": .milliseconds, "msecs": .milliseconds, "millis": .milliseconds,
        "millisecond": .milliseconds, "milliseconds": .milliseconds, "us": .microseconds, "µs": .microseconds,
        "μs": .microseconds, "usec": .microseconds, "micros": .microseconds, "microsecond": .microseconds,
        "microseconds": .microseconds, "ns": .nanoseconds, "nsec": .nanoseconds, "nanos": .nanoseconds,
        "nanosecond": .nanoseconds, "nanoseconds": .nanoseconds, "ticks": .ticks, "min": .minutes, "mins": .minutes,
        "minutes": .minutes, "days": .days, "datenum": .days, "h": .hours, "hour": .hours, "hours": .hours,
        "cs": .centiseconds, "centiseconds": .centiseconds, "ds": .deciseconds, "deciseconds": .deciseconds,
    ]
    /// Words that a name may have besides.
    private static let others: Set<String> = [
        "frame", "video", "in", "rel", "relative", "unix", "epoch", "pos", "utc", "gmt", "local", "absolute",
    ]
    /// Seconds between two frames of a body that moves: if the unit is assumed against the name, if the name has none
    /// and means seconds, and if it states the unit.
    private static let (assumed, likely, possible) = (0.004...0.2, 0.001...1.5, 0.0005...10.0)
    /// Frames a second of cameras, and the share by which a recording may differ: NTSC's 1000/1001 and a lost frame.
    private static let (rates, tolerance) = ([24.0, 25, 30, 48, 50, 60, 100, 120, 240], 0.01)
    /// Whether the name is that of presentation times, whose whole numbers count ticks of any time base.
    private let isPresentation: Bool

    /// The column of a name; nil if that does not mean times. `isAlone` if its numbers cannot be looked at as well.
    init?(_ name: String, isAlone: Bool = false) {
        var (isTime, unit, isLoose, isLooseTime) = (false, Unit?.none, false, false)
        for word in PoseColumns.words(name) {
            isLooseTime = isLooseTime || Self.looseTimes.contains(word)
            if let found = Self.units[word] {
                unit = found
            } else if Self.times.contains(word) {
                isTime = true
            } else if let (time, found) = Self.split(word) {
                (isTime, unit) = (isTime || time, found)
            } else if !Self.others.contains(word) {
                isLoose = true
            }
        }
        if isLoose || !isTime && [.hours, .minutes, .days, .ticks, .deciseconds, .centiseconds].contains(unit) {
            guard isLooseTime, !isAlone else { return nil }
            // Minutes and hours alone may be those of the day.
            isLoose = isLoose || unit == .minutes || unit == .hours
        } else {
            guard isTime || unit != nil, name.count > 1 || isTime else { return nil }
        }
        (self.name, stated, self.isLoose) = (name, unit, isLoose)
        isPresentation = unit == nil && PoseColumns.words(name).contains("pts")
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
        guard !isClock, let start = times.first, !steps.isEmpty else {
            return .times(isClock ? .seconds : stated ?? .seconds, note: nil)
        }
        let step = steps.median
        let areWhole = stated == nil && steps.allSatisfy { $0 == $0.rounded() }
        if areWhole, step == 1 { return .frames(note: "the column \(name) counts frames") }
        if areWhole, (2...3).contains(step), steps.allSatisfy({ $0 == step }) {
            return .frames(note: "the column \(name) counts frames by \(Int(step))")
        }
        if areWhole, isPresentation, let reading = ticks(steps, from: start) { return reading }
        func isPossible(_ unit: Unit, _ seconds: ClosedRange<Double>) -> Bool {
            seconds.contains(step / unit.rawValue) && unit.isPossible(from: start)
        }
        let named = stated ?? .seconds
        // Minutes, hours and days since the recording began are as possible as since a year.
        if isPossible(named, stated == nil ? Self.likely : Self.possible)
            || stated == .days && Self.possible.contains(step / named.rawValue)
        {
            return .times(named, note: nil)
        }
        let unit = Unit.assumed.first { unit in
            unit == .ninetyKilohertz
                ? areWhole && isUsual(unit, steps) && unit.isPossible(from: start)
                : isPossible(unit, unit == .seconds ? Self.likely : Self.assumed)
        }
        guard let unit else {
            return .impossible(
                "has steps of \(step) in the column \(name), which no unit makes the time between two frames; name it "
                    + "with its unit, such as time_ms")
        }
        let seconds = step / named.rawValue
        let reason =
            Self.possible.contains(seconds) && !named.isPossible(from: start)
            ? "the other units begin after the year 2200"
            : "a frame every \(seconds.text(seconds >= 1 ? 0 : 6)) s is not "
                + (Self.possible.contains(seconds) ? "likely" : "possible")
        return .times(unit, note: "the column \(name) as \(unit.name), since \(reason)")
    }

    /// Decides what presentation times in whole numbers count, by the rates of cameras; nil if none of these fits.
    private func ticks(_ steps: [Double], from start: Double) -> Reading? {
        let units = [Unit.milliseconds, .microseconds, .nanoseconds, .ninetyKilohertz, .sixHundredths].filter {
            isUsual($0, steps) && $0.isPossible(from: start)
        }
        guard let unit = units.first else { return nil }
        let words = units.map(\.name).joined(separator: " or ")
        return units.count == 1
            ? .times(unit, note: "the column \(name) as \(words), since no other unit has the rate of a camera")
            : .impossible("has \(words) in the column \(name); name it with its unit, such as time_ms, or remove it")
    }

    /// Whether steps in a unit are those of a camera, by their median or their mean.
    private func isUsual(_ unit: Unit, _ steps: [Double]) -> Bool {
        let mean = steps.reduce(0, +) / Double(steps.count)
        for step in [steps.median, mean] {
            let rate = unit.rawValue / step
            if Self.rates.contains(where: { abs(rate / $0 - 1) < Self.tolerance }) { return true }
        }
        return false
    }

    // MARK: - Dates and times of day

    /// The longest text of a date.
    private static let longest = 48

    /// The seconds of a date with a time since 1970 (ISO 8601, or as spreadsheets write it), of a time of day, or of a
    /// duration; nil for anything else. Two parts are hours and minutes, or minutes and seconds if these have a fraction.
    static func seconds(of clock: String) -> Double? {
        guard clock.contains(":"), clock.utf8.count <= longest else { return nil }
        // The T of UTC does not begin a time.
        var words = clock.replacing(" UTC", with: " Z").split { $0 == "T" || $0 == " " }
        var half: Double?
        switch words.last?.uppercased() {
        case "AM": half = 0
        case "PM": half = 12
        default: break
        }
        if half != nil || words.last == "Z" { words.removeLast() }
        if words.count > 1, let zone = words.last, zone.hasPrefix("+") || zone.hasPrefix("-") {
            words.removeLast()
            words[words.count - 1] += zone
        }
        guard let time = words.popLast().map({ zoned($0) }), words.count <= 2 else { return nil }
        let texts = time.text.split(separator: ":", omittingEmptySubsequences: false)
        var parts = texts.compactMap { Double($0.replacing(",", with: ".")) }
        guard (2...3).contains(parts.count), parts.count == texts.count, parts.allSatisfy(\.isFinite) else {
            return nil
        }
        if parts.count == 2, texts[1].contains(where: { $0 == "." || $0 == "," }) { parts.insert(0, at: 0) }
        if let half { parts[0] = parts[0].truncatingRemainder(dividingBy: 12) + half }
        let seconds = zip(parts, [3600.0, 60, 1]).map { $0 * $1 }.reduce(0, +) - time.shift
        if words.count == 2 {
            // A duration such as "0 days 00:00:01.5".
            return words[1].hasPrefix("day") ? Int(words[0]).map { Double($0) * 86_400 + seconds } : nil
        }
        return words.isEmpty ? seconds : day(words[0]).map { Double($0) * 86_400 + seconds }
    }

    /// A time of day without its zone, and the zone's seconds.
    private static func zoned(_ text: Substring) -> (text: Substring, shift: Double) {
        if text.hasSuffix("Z") { return (text.dropLast(), 0) }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return (text, 0) }
        let zone = text[text.index(after: sign)...].filter(\.isNumber)
        let (hours, minutes) = (Double(zone.prefix(2)) ?? 0, Double(zone.dropFirst(2)) ?? 0)
        return (text[..<sign], (text[sign] == "-" ? -60 : 60) * (60 * hours + minutes))
    }

    /// Days since 1970 of a date such as 2026-11-29, 11/29/2026 or 29.11.2026 in the Gregorian calendar. Which of the
    /// last two it is does not matter for the time between frames.
    private static func day(_ text: Substring) -> Int? {
        var parts = text.split { "-/.".contains($0) }.compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        if parts[2] > 31 {
            parts = [parts[2]] + (parts[0] > 12 || text.contains(".") ? [parts[1], parts[0]] : [parts[0], parts[1]])
        }
        let (year, month, day) = (parts[0], parts[1], parts[2])
        guard (1900...2200).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        // Years begin in March, so that leap days come last.
        let (y, m) = (month > 2 ? year : year - 1, (month + 9) % 12)
        return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468
    }
}
