import Crypto
package import Foundation
import KinemaCore
import KinemaHTTP
import Synchronization

/// A paired phone.
package struct Phone: Sendable, Equatable, Codable {
    package let id: String
    package var name: String
    package let paired: Date
    package var seen: Date?
    /// Whether it may see the history.
    package var mayReadHistory = false
    /// The phone that films the same person, whose sets and this one's are one.
    package var partner: String?
    /// The SHA-256 of its cookie: the file alone admits nobody.
    let secret: String
    /// The sessions that it recorded, newest last.
    package var sessions: [UUID] = []

    static func secret(of cookie: some StringProtocol) -> String {
        SHA256.hash(data: Data(cookie.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The paired phones, in a file that only the owner may read.
package final class PhoneRegistry: Sendable {
    private let file: PrivateFile
    private let phones: Mutex<[Phone]>

    package static let most = 32
    /// Seconds for which a cookie is good without being used: the time for which a browser keeps it.
    static let lifetime: TimeInterval = 90 * 86_400
    /// Sessions of a phone that it may still see; the oldest are the owner's alone.
    private static let mostSessions = 200
    /// Bytes of a phone's name.
    package static let nameBytes = 40

    /// Reads the phones of a folder; throws if their file is damaged.
    package init(folder: URL) throws {
        file = PrivateFile("phones.json", in: folder)
        var known: [Phone] = []
        if let data = try file.read() {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            guard let read = try? decoder.decode([Phone].self, from: data), read.count <= Self.most else {
                throw KinemaError(
                    .unreadableInput, "the list of paired phones is damaged; delete it and pair the phones again",
                    file: file.url.path)
            }
            known = read
        }
        phones = Mutex(known)
    }

    /// No phones, in place of a list that cannot be read and is left as it is.
    init(insteadOf folder: URL) {
        file = PrivateFile("phones.json", in: folder)
        phones = Mutex([])
    }

    package var all: [Phone] { phones.withLock { $0 } }

    package func phone(_ id: String) -> Phone? { phones.withLock { $0.first { $0.id == id } } }

    /// The phone with a cookie, seen now.
    func phone(withCookie cookie: some StringProtocol, at now: Date = Date()) -> Phone? {
        // A hash is looked up, so the time of the comparison tells nothing about a cookie.
        let secret = Phone.secret(of: cookie)
        return phones.withLock { phones in
            guard let place = phones.firstIndex(where: { $0.secret == secret }),
                now.timeIntervalSince(max(phones[place].paired, phones[place].seen ?? .distantPast)) < Self.lifetime
            else { return nil }
            phones[place].seen = now
            return phones[place]
        }
    }

    /// Adds a phone and returns it with its cookie; nil if there are too many.
    func add(name: String, at now: Date = Date()) throws -> (phone: Phone, cookie: String)? {
        let cookie = RandomID.make()
        let made = Phone(
            id: RandomID.make(), name: Self.name(name) ?? "Phone", paired: now, seen: now,
            secret: Phone.secret(of: cookie))
        let isAdded = try change { phones in
            guard phones.count < Self.most else { return false }
            phones.append(made)
            return true
        }
        return isAdded ? (made, cookie) : nil
    }

    /// Changes a phone's name or permission; nil if it is unknown.
    func update(_ id: String, name: String? = nil, mayReadHistory: Bool? = nil) throws -> Phone? {
        try change { phones in
            guard let place = phones.firstIndex(where: { $0.id == id }) else { return nil }
            if let name = name.flatMap(Self.name) { phones[place].name = name }
            if let mayReadHistory { phones[place].mayReadHistory = mayReadHistory }
            return phones[place]
        }
    }

    /// Has two phones film the same person, or one of them nobody else's; nil if one is unknown or both are one.
    func join(_ id: String, with other: String?) throws -> Phone? {
        try change { phones in
            guard id != other, let place = phones.firstIndex(where: { $0.id == id }),
                other.map({ other in phones.contains { $0.id == other } }) ?? true
            else { return nil }
            for one in phones.indices {
                let isPart = phones[one].id == id || phones[one].id == other
                let wasPart = [id, other].contains(phones[one].partner)
                if isPart || wasPart { phones[one].partner = nil }
            }
            phones[place].partner = other
            if let two = phones.firstIndex(where: { $0.id == other }) { phones[two].partner = id }
            return phones[place]
        }
    }

    /// Whether there was such a phone. It is gone also if the list cannot be written, which is thrown.
    func remove(_ id: String) throws -> Bool {
        try change(always: true) { phones in
            let count = phones.count
            phones.removeAll { $0.id == id }
            for place in phones.indices where phones[place].partner == id { phones[place].partner = nil }
            return phones.count < count
        }
    }

    /// Notes that a phone recorded a session.
    package func record(_ session: UUID, of id: String) {
        // A full disk only costs the phone the view of its own set.
        try? change { phones in
            guard let place = phones.firstIndex(where: { $0.id == id }), !phones[place].sessions.contains(session)
            else { return }
            phones[place].sessions.append(session)
            phones[place].sessions = phones[place].sessions.suffix(Self.mostSessions)
        }
    }

    package func owns(_ id: String, _ session: UUID) -> Bool { phone(id)?.sessions.contains(session) == true }

    /// Changes the list and its file, or neither; with `always` the list whether or not the file can be written.
    private func change<Value: Sendable>(always: Bool = false, _ body: (inout [Phone]) -> Value) throws -> Value {
        try phones.withLock { phones in
            var copy = phones
            let value = body(&copy)
            guard copy != phones else { return value }
            if always { phones = copy }
            let encoder = JSONEncoder.ordered
            encoder.dateEncodingStrategy = .iso8601
            try file.write(try encoder.encode(copy))
            phones = copy
            return value
        }
    }

    /// A name that is safe to show; nil if nothing is left of it.
    static func name(_ text: String) -> String? {
        let name = PlainText.name(text, atMost: nameBytes).trimmingCharacters(in: .whitespaces)
        let isVisible = name.unicodeScalars.contains {
            !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isWhitespace
        }
        return isVisible ? name : nil
    }
}

/// Hands out invitations: each pairs one phone, once, within ten minutes.
package final class PairingDesk: Sendable {
    package struct Invitation: Sendable {
        package let id: String
        package let token: String
        package let expires: Date
    }

    package enum Standing: Sendable, Equatable {
        case waiting, expired
        case used(phone: String)
    }

    private struct Entry {
        let token: AccessToken
        let expires: Date
        /// Nil while nobody has used it.
        var isTaken = false
        var phone: String?
    }

    package static let lifetime: TimeInterval = 600
    /// Invitations that are remembered; the oldest is forgotten first.
    private static let most = 16

    private let entries = Mutex<[(id: String, entry: Entry)]>([])

    package init() {}

    package func invite(at now: Date = Date()) -> Invitation {
        let made = Invitation(id: RandomID.make(), token: RandomID.make(), expires: now + Self.lifetime)
        guard let token = try? AccessToken(made.token) else { return invite(at: now) }
        entries.withLock { entries in
            entries.append((made.id, Entry(token: token, expires: made.expires)))
            if entries.count > Self.most { entries.removeFirst() }
        }
        return made
    }

    /// Uses up the invitation with this token and returns its id; nil if there is none or it was used or is too old.
    func redeem(_ word: String, at now: Date = Date()) -> String? {
        entries.withLock { entries in
            var found: Int?
            // All are compared, so that the time tells nothing.
            for (place, one) in entries.enumerated() where one.entry.token.matches(word) { found = place }
            guard let found, !entries[found].entry.isTaken, now < entries[found].entry.expires else { return nil }
            entries[found].entry.isTaken = true
            return entries[found].id
        }
    }

    /// Whether an invitation with this token waits to be used.
    func isGood(_ word: String, at now: Date = Date()) -> Bool {
        entries.withLock { entries in
            entries.reduce(false) { found, one in
                let isIt = one.entry.token.matches(word)
                return found || isIt && !one.entry.isTaken && now < one.entry.expires
            }
        }
    }

    func complete(_ id: String, phone: String) {
        entries.withLock { entries in
            guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
            entries[place].entry.phone = phone
        }
    }

    /// What became of an invitation; nil for unknown ones.
    package func standing(of id: String, at now: Date = Date()) -> Standing? {
        entries.withLock { entries in
            guard let entry = entries.first(where: { $0.id == id })?.entry else { return nil }
            if entry.isTaken { return .used(phone: entry.phone ?? "") }
            return now < entry.expires ? .waiting : .expired
        }
    }

    /// The token of an invitation that still waits.
    func token(of id: String, at now: Date = Date()) -> String? {
        guard standing(of: id, at: now) == .waiting else { return nil }
        return entries.withLock { entries in entries.first { $0.id == id }?.entry.token.text }
    }

    /// Forgets every invitation.
    func clear() { entries.withLock { $0 = [] } }
}
