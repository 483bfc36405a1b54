import KinemaCounting
package import Foundation
package import KinemaCore

/// A coach's additions to a set: its name, person, load and effort.
package struct SessionDetails: Sendable, Equatable, Codable {
    package struct Load: Sendable, Equatable, Codable {
        package enum Unit: String, Sendable, Codable {
            case kilograms = "kg"
            case pounds = "lb"
            /// The number or strength of an elastic band.
            case band
        }

        package var value: Double
        package var unit: Unit
    }

    /// The exercise, in the coach's words.
    package var name: String?
    /// A first name or a number.
    package var person: String?
    package var load: Load?
    /// The rating of perceived exertion (Borg's CR10 scale as used for strength training), 1 to 10 in halves.
    package var effort: Double?
    /// 0 to 10 on the numeric rating scale.
    package var pain: Int?
    package var workout: UUID?

    /// More than any barbell has held, in either unit.
    private static let loads = 0.0...2_000
    private static let efforts = 1.0...10
    private static let pains = 0...10

    package init() {}

    package var isEmpty: Bool { self == SessionDetails() }

    /// The stored form: names without surrounding blanks, absent where empty. Throws `.invalidArgument`.
    package func checked() throws(KinemaError) -> SessionDetails {
        var details = self
        details.name = try Self.checked(name, "the name of the exercise")
        details.person = try Self.checked(person, "the name of a person")
        if let person = details.person, person.allSatisfy({ $0 == "." }) {
            throw KinemaError.invalid("the name of a person needs a letter or a digit")
        }
        guard load.map({ Self.loads.contains($0.value) }) != false else {
            throw KinemaError.invalid("a load must be 0 to \(Int(Self.loads.upperBound))")
        }
        guard effort.map({ Self.efforts.contains($0) && ($0 * 2).rounded() == $0 * 2 }) != false else {
            throw KinemaError.invalid("an effort must be 1 to 10 in steps of 0.5")
        }
        guard pain.map(Self.pains.contains) != false else { throw KinemaError.invalid("pain must be 0 to 10") }
        return details
    }

    /// A name as it is stored and searched for: composed, without surrounding blanks.
    package static func plain(_ name: String) -> String {
        name.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func checked(_ name: String?, _ what: String) throws(KinemaError) -> String? {
        guard let name = name.map(plain), !name.isEmpty else { return nil }
        guard SessionAnnotation.isLabel(name) else {
            throw KinemaError.invalid("\(what) can have at most \(SessionAnnotation.labelLength) printable characters")
        }
        return name
    }
}

/// The times at which each person was in view; measures of a repetition with a gap are not reported.
struct SeenRepetitions {
    private struct Frame: Decodable {
        struct Person: Decodable { var id: Int? }
        var time: Double
        var people: [Person]
    }

    private var times: [Double] = []
    private var timesByPerson: [Int: [Double]] = [:]
    private let gap: SightGap

    /// Reads stored poses; nil for a session without any.
    package init?(_ session: StoredSession) {
        guard let poses = session.poses, !session.repetitions.isEmpty else { return nil }
        let decoder = JSONDecoder()
        for line in poses.split(separator: UInt8(ascii: "\n")) {
            guard let frame = try? decoder.decode(Frame.self, from: line) else { continue }
            times.append(frame.time)
            for id in frame.people.compactMap(\.id) { timesByPerson[id, default: []].append(frame.time) }
        }
        gap = SightGap(times)
    }

    func cover(_ one: StoredSession.Repetition) -> Bool {
        guard let last = times.last, one.end <= last + gap.longest else { return true }
        let seen = (timesByPerson[one.id] ?? []).filter { (one.start...max(one.start, one.end)).contains($0) }
        return gap.isUnbroken(seen, from: one.start, to: one.end)
    }
}

extension StoredSession {
    var isSeen: [Bool] {
        let seen = SeenRepetitions(self)
        return repetitions.map { seen?.cover($0) ?? true }
    }
}

package struct SessionPlan: Sendable, Equatable, Codable {
    package var plan: String
    package var set: Int, sets: Int
    package var target: Int?

    private static let numbers = 1...100
    /// Repetitions, or the seconds of a hold.
    private static let targets = 1...1_000

    /// Whether the plan is a UUID and every number is possible.
    package var isValid: Bool {
        UUID(uuidString: plan) != nil && [set, sets].allSatisfy(Self.numbers.contains)
            && target.map(Self.targets.contains) != false
    }
}

package struct SessionVideo: Sendable, Equatable, Codable {
    /// A container that browsers play.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case webm = "video/webm"
        case mp4 = "video/mp4"

        package var fileEnding: String { self == .webm ? "webm" : "mp4" }
    }

    package var type: Kind
    package var bytes: Int
    /// Whether faces are hidden in it; nil if not.
    package var isCovered: Bool?

    package init(type: Kind, bytes: Int, isCovered: Bool? = nil) {
        (self.type, self.bytes, self.isCovered) = (type, bytes, isCovered)
    }
}

/// What makes a session another camera's view of a set: that set, and how their times are related.
package struct SessionView: Sendable, Equatable, Codable {
    /// The session that counts.
    package var of: UUID
    /// Seconds from that session's first frame to this one's.
    package var offset: Double

    package init(of: UUID, offset: Double) { (self.of, self.offset) = (of, offset) }

    /// Whether the offset is within an hour; no set is longer.
    var isValid: Bool { (-3_600...3_600).contains(offset) }
}

/// A part of a session that shows one action, for training, in seconds from the session's first frame.
package struct SessionMark: Sendable, Equatable, Codable {
    package var start: Double, end: Double
    package var label: String
    /// The person's number; nil for the most prominent person.
    package var id: Int?

    package init(start: Double, end: Double, label: String, id: Int? = nil) {
        (self.start, self.end, self.label, self.id) = (start, end, label, id)
    }
}

package enum SessionFormat: String, Sendable, CaseIterable {
    /// The session as Documentation/studio.md describes it.
    case json
    /// One line for each event, correction and mark.
    case jsonl
    case csv
    case svg, png
    /// The stored poses in Kinema's formats.
    case poseLines = "poses.jsonl", poseTable = "poses.csv"
    /// The stored poses for other programs.
    case trc, mot, coco = "coco.json", openpose = "openpose.zip"
    /// Corrections or marks as a table for `kinema evaluate count` or `kinema train`; all tables with the poses.
    case labels = "labels.csv", labelArchive = "labels.zip"

    /// Takes the names above, and `coco` and `openpose` alone.
    package init?(argument: String) {
        switch argument.lowercased() {
        case "coco": self = .coco
        case "openpose": self = .openpose
        case let name:
            guard let format = Self(rawValue: name) else { return nil }
            self = format
        }
    }
}
