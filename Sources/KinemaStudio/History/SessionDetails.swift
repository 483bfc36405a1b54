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
