import Foundation
import KinemaCore
package import KinemaHTTP
import NIOHTTP1

/// `/api/phones` for the owner's page; `/api/pair` and `/api/phone` for phones.
extension PhoneService {
    private static let bodyBytes = 2_048

    private struct Listed: Encodable {
        let id: String
        let name: String
        let paired: String
        let seen: String?
        let connected: Bool
        let history: Bool
        let session: String?
        let with: String?
    }

    private struct Overview: Encodable {
        let on: Bool
        let port: Int
        let addresses: [String]
        let fingerprint: String?
        let most: Int
        let phones: [Listed]
    }

    private struct Switch: Decodable {
        var on: Bool
    }

    private struct Change: Decodable {
        var name: String?
        var history: Bool?
        /// The phone that films the same person; "" for none.
        var with: String?
    }

    private struct Invited: Encodable {
        let id: String
        let url: String
        let urls: [String]
        let expires: String
        let seconds = Int(PairingDesk.lifetime)
        let image: String
    }

    private struct Used: Encodable {
        let state: String
        let phone: String?
    }

    // MARK: The owner

    /// Answers a request of the owner below `/api/phones`.
    package func phones(
        _ request: StudioRequest, _ segments: ArraySlice<Substring>, _ body: inout RequestBody
    ) async throws -> StudioResponse {
        guard let first = segments.first else {
            try request.allow(.GET, .HEAD, .POST)
            if request.method == .POST {
                let wanted = try await body.json(Switch.self, atMost: Self.bodyBytes, expected: #"{"on": true}"#)
                do {
                    if wanted.on { try await turnOn() } else { await turnOff() }
                } catch let error as KinemaError {
                    throw HTTPError.notPossible(error.message)
                }
            }
            return try .json(JSONEncoder.ordered.encode(overview))
        }
        if first == "pairing" { return try pairing(request, segments.dropFirst()) }
        guard segments.count == 1 else { throw HTTPError.notFound }
        let id = String(first)
        try request.allow(.PATCH, .DELETE)
        if request.method == .DELETE {
            guard try await revoke(id) else { throw HTTPError.notFound }
            return StudioResponse(.noContent)
        }
        let change = try await body.json(
            Change.self, atMost: Self.bodyBytes, expected: #"{"name": "Anna's phone", "history": false}"#)
        guard var phone = try registry.update(id, name: change.name, mayReadHistory: change.history) else {
            throw HTTPError.notFound
        }
        if change.history == false { endConnections(of: id) }
        if let other = change.with {
            guard let joined = try registry.join(id, with: other.isEmpty ? nil : other) else {
                throw HTTPError.invalid("with must be another paired phone, or empty.")
            }
            phone = joined
        }
        return try .json(JSONEncoder.ordered.encode(listed(phone)))
    }

    private var overview: Overview {
        let listening = listening
        return Overview(
            on: listening != nil, port: listening?.port ?? configuration.port, addresses: listening?.addresses ?? [],
            fingerprint: listening?.fingerprint, most: room.mostPhones, phones: registry.all.map(listed))
    }

    private func listed(_ phone: Phone) -> Listed {
        Listed(
            id: phone.id, name: phone.name, paired: phone.paired.formatted(.iso8601),
            seen: phone.seen?.formatted(.iso8601), connected: links.isConnected(phone.id),
            history: phone.mayReadHistory, session: room.session(of: phone.id)?.uuidString,
            with: phone.partner)
    }

    private func pairing(_ request: StudioRequest, _ rest: ArraySlice<Substring>) throws -> StudioResponse {
        guard let name = rest.first else {
            try request.allow(.POST)
            guard let made = invite(), let url = made.urls.first else {
                throw HTTPError.notPossible("Phones are not admitted; turn that on first.")
            }
            let invited = Invited(
                id: made.id, url: url, urls: made.urls, expires: made.expires.formatted(.iso8601),
                image: "/api/phones/pairing/\(made.id).svg")
            return try .json(JSONEncoder.ordered.encode(invited), status: .created)
        }
        try request.allow(.GET, .HEAD)
        guard rest.count == 1 else { throw HTTPError.notFound }
        if name.hasSuffix(".svg") {
            guard let urls = urls(of: String(name.dropLast(4))) else { throw HTTPError.notFound }
            let place = request.parameter("address").flatMap { Int($0) } ?? 0
            guard urls.indices.contains(place) else { throw HTTPError.notFound }
            let code = try QRCode(urls[place])
            return StudioResponse(.ok, fields: ["Content-Type": "image/svg+xml"], body: .bytes(Data(code.svg.utf8)))
        }
        let used: Used
        switch desk.standing(of: String(name)) {
        case nil: throw HTTPError.notFound
        case .waiting: used = Used(state: "waiting", phone: nil)
        case .expired: used = Used(state: "expired", phone: nil)
        case .used(let phone): used = Used(state: "used", phone: phone.isEmpty ? nil : phone)
        }
        return try .json(JSONEncoder.ordered.encode(used))
    }

    // MARK: The phone

    private struct Pairing: Decodable {
        var token: String
        var name: String?
    }

    private struct Paired: Encodable {
        let id: String
        let name: String
        let history: Bool
    }

    private struct Myself: Encodable {
        struct Phones: Encodable {
            let now: Int
            let most: Int
        }

        let id: String
        let name: String
        let history: Bool
        let studio: String
        let version: String
        let phones: Phones
    }

    private static let tooManyPhones = HTTPError(
        .conflict, "too-many-phones", "\(PhoneRegistry.most) phones are paired; remove one on the studio's page first.")
    package static let pairingExpired = HTTPError(
        .forbidden, "pairing-expired",
        "This code was used or is older than ten minutes; scan the one the studio shows now."
    )

    /// Uses up an invitation and gives the phone its cookie.
    package func pair(
        _ request: StudioRequest, _ body: inout RequestBody, from caller: Caller, _ guarding: PhoneGuard
    ) async throws -> StudioResponse {
        try request.allow(.POST)
        let word = try await body.json(
            Pairing.self, atMost: Self.bodyBytes, expected: #"{"token": "…", "name": "Anna's phone"}"#)
        // A code is not used up where no phone has room.
        let isKnown = caller.phone.flatMap { registry.phone($0.id) } != nil
        guard isKnown || registry.all.count < PhoneRegistry.most || !desk.isGood(word.token) else {
            throw Self.tooManyPhones
        }
        guard let invitation = desk.redeem(word.token) else { throw Self.pairingExpired }
        if let phone = caller.phone.flatMap({ registry.phone($0.id) }) {
            desk.complete(invitation, phone: phone.id)
            configuration.onPaired(phone)
            return try .json(
                JSONEncoder.ordered.encode(Paired(id: phone.id, name: phone.name, history: phone.mayReadHistory)))
        }
        guard let (phone, cookie) = try registry.add(name: word.name ?? "") else {
            throw Self.tooManyPhones
        }
        desk.complete(invitation, phone: phone.id)
        configuration.onPaired(phone)
        var response = StudioResponse.json(
            try JSONEncoder.ordered.encode(Paired(id: phone.id, name: phone.name, history: false)))
        response.headers.add(
            name: "Set-Cookie",
            value: "\(guarding.cookieName)=\(cookie); Path=/; HttpOnly; Secure; SameSite=Strict; "
                + "Max-Age=\(Int(PhoneRegistry.lifetime))")
        return response
    }

    /// Answers a phone's request below `/api/phone`.
    package func phone(
        _ request: StudioRequest, _ segments: ArraySlice<Substring>, _ body: inout RequestBody, _ phone: Phone
    ) async throws -> StudioResponse {
        guard segments.isEmpty else { throw HTTPError.notFound }
        try request.allow(.GET, .HEAD, .PATCH)
        var phone = phone
        if request.method == .PATCH {
            let change = try await body.json(
                Change.self, atMost: Self.bodyBytes, expected: #"{"name": "Anna's phone"}"#)
            guard let changed = try registry.update(phone.id, name: change.name) else { throw PhoneGuard.unknown }
            phone = changed
        }
        let myself = Myself(
            id: phone.id, name: phone.name, history: phone.mayReadHistory,
            studio: configuration.network().names.first ?? "studio", version: configuration.version,
            phones: .init(now: room.phonesAtWork, most: room.mostPhones))
        return try .json(JSONEncoder.ordered.encode(myself))
    }
}

/// `/api/room`: all live sessions for the owner's page, and the chosen one for a second screen.
extension PhoneService {
    private struct Choice: Decodable {
        var session: String?
    }

    private struct Shown: Encodable {
        let session: Room.Tile?

        private enum Key: CodingKey { case session }

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(session, forKey: .session)
        }
    }

    /// Between two events; a television needs no more.
    private static let eventInterval = Duration.milliseconds(100)
    /// Between two events without a change: they show the time, and a browser that has gone is noticed.
    private static let beatInterval = Duration.seconds(10)

    /// Answers a request below `/api/room`; phones only get to `now`.
    package func room(
        _ request: StudioRequest, _ segments: ArraySlice<Substring>, _ body: inout RequestBody, from caller: Caller
    ) async throws -> StudioResponse {
        let isNow = segments.first == "now"
        let make: @Sendable () -> Data = { [room] in
            let snapshot = room.snapshot()
            if isNow {
                let shown = Shown(session: snapshot.sessions.first { $0.id == snapshot.now })
                return (try? JSONEncoder.ordered.encode(shown)) ?? Data()
            }
            return (try? JSONEncoder.ordered.encode(snapshot)) ?? Data()
        }
        switch Array(isNow ? segments.dropFirst() : segments) {
        case [] where isNow && request.method == .PUT:
            guard case .owner = caller else { throw PhoneGuard.ownerOnly }
            let choice = try await body.json(Choice.self, atMost: 1_024, expected: #"{"session": null}"#)
            guard room.choose(choice.session) else { throw HTTPError.notFound }
            return try .json(JSONEncoder.ordered.encode(room.snapshot()))
        case []:
            try request.allow(.GET, .HEAD)
            return .json(make())
        case ["events"]:
            try request.allow(.GET)
            guard let permit = streams.permit(for: request.client) else { throw HTTPError.busy }
            var response = StudioResponse(
                .ok, fields: ["Content-Type": "text/event-stream"], body: .events(events(for: caller.phone?.id, make)))
            response.permit = permit
            return response
        default: throw HTTPError.notFound
        }
    }

    /// The newest state after each change, and now and then without one.
    private func events(for phone: String?, _ make: @escaping @Sendable () -> Data) -> AsyncStream<Data> {
        let changes = room.changes(for: phone)
        let event: @Sendable (Data) -> Data = { Data("data: ".utf8) + $0 + Data("\n\n".utf8) }
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self, bufferingPolicy: .bufferingNewest(1))
        let sending = Task {
            var last = Data()
            for await _ in changes {
                let state = make()
                if state != last { continuation.yield(event(state)) }
                last = state
                try? await Task.sleep(for: Self.eventInterval)
            }
            continuation.finish()
        }
        let beating = Task {
            while (try? await Task.sleep(for: Self.beatInterval)) != nil { continuation.yield(event(make())) }
        }
        continuation.onTermination = { _ in
            sending.cancel()
            beating.cancel()
        }
        return stream
    }
}
