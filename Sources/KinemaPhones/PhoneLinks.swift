import Foundation
package import KinemaHTTP
import NIOHTTP1
import Synchronization

package struct LinkLimits: Sendable {
    /// How long a session waits for a phone whose network was lost.
    package var resume = Duration.seconds(60)
    /// Without a request for longer, a phone counts as lost; it may take two seconds between frames on a bad network.
    package var lossAfter = Duration.seconds(3)
    package var watchInterval = Duration.milliseconds(500)
    /// Messages that wait for a phone that is away.
    package var waitingMessages = 256
    /// Links of one phone: two pages, and one that was left behind.
    package var linksPerPhone = 3
    /// As those of a socket (`StudioLimits`).
    package var messagesPerSecond = 90
    package var messageBurst = 180
    /// How long an answer to a frame waits for its result.
    package var frameWait = Duration.seconds(2)
    /// How long an answer waits for any message.
    package var messageWait = Duration.seconds(10)

    package init() {}
}

/// The live connections of all phones.
package final class PhoneLinks: Sendable {
    package typealias Serve = @Sendable (_ link: PhoneLink, _ client: LiveSender) async -> Void

    private struct Running {
        let link: PhoneLink
        let task: Task<Void, Never>
    }

    private struct State {
        var links: [String: Running] = [:]
        /// Keys, oldest first.
        var order: [String] = []
        var serve: Serve?
    }

    private let state = Mutex(State())
    private let room: Room
    private let registry: PhoneRegistry
    package let limits: LinkLimits

    init(room: Room, registry: PhoneRegistry, limits: LinkLimits = LinkLimits()) {
        (self.room, self.registry, self.limits) = (room, registry, limits)
    }

    /// Sets what serves the sessions of links.
    func serve(_ serve: @escaping Serve) { state.withLock { $0.serve = serve } }

    func link(_ key: String, of phone: Phone) -> PhoneLink? {
        guard let link = state.withLock({ $0.links[key]?.link }), link.phone == phone.id, link.closing == nil else {
            return nil
        }
        return link
    }

    /// The phone's link with a key, or a new one.
    package func link(key: String?, for phone: Phone) -> PhoneLink {
        if let key, let link = link(key, of: phone) { return link }
        let link = PhoneLink(phone: phone.id, limits: limits) { [room] key, isLost in
            room.mark(link: key, isLost: isLost)
        }
        let client = LiveSender(phone, link: link.key, room: room, registry: registry)
        let surplus = state.withLock { state -> [PhoneLink] in
            let serve = state.serve
            let task = Task { [weak self] in
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await link.watch() }
                    await serve?(link, client)
                    link.end(WebSocketClose(1000, nil, ""))
                    group.cancelAll()
                }
                self?.forget(link.key)
            }
            state.links[link.key] = Running(link: link, task: task)
            state.order.append(link.key)
            let own = state.order.filter { state.links[$0]?.link.phone == phone.id }
            return own.dropLast(limits.linksPerPhone).compactMap { state.links[$0]?.link }
        }
        for old in surplus { old.end(.takenOver) }
        return link
    }

    private func forget(_ key: String) {
        // Its last messages can be read for a while.
        Task { [weak self, limits] in
            try? await Task.sleep(for: limits.messageWait)
            self?.state.withLock { state in
                state.links[key] = nil
                state.order.removeAll { $0 == key }
            }
        }
    }

    func isConnected(_ phone: String) -> Bool {
        state.withLock { $0.links.values.contains { $0.link.phone == phone && $0.link.closing == nil } }
    }

    /// Ends the connections of a phone, or of all, and waits until their sessions are kept.
    func end(of phone: String? = nil, _ reason: WebSocketClose) async {
        let ended = state.withLock { state in
            state.links.values.filter { phone == nil || $0.link.phone == phone }
        }
        for running in ended { running.link.end(reason) }
        for running in ended { await running.task.value }
    }

    // MARK: Requests in place of a socket

    private struct Answer {
        let messages: [SocketMessage]

        /// The messages are JSON already.
        var data: Data {
            let texts = messages.compactMap { if case .text(let text) = $0 { text } else { nil } }
            return Data((#"{"messages":["# + texts.joined(separator: ",") + "]}").utf8)
        }
    }

    /// `/api/live`: the same messages by requests, for browsers that refuse sockets to the studio's own certificate.
    package func answer(
        _ request: StudioRequest, _ segments: ArraySlice<Substring>, _ body: inout RequestBody, for phone: Phone,
        frameBytes: Int, textBytes: Int
    ) async throws -> StudioResponse {
        guard let key = segments.first else {
            try request.allow(.POST)
            guard try await body.skip(atMost: textBytes) else { throw HTTPError.largeBody }
            // It may have been revoked while its body came.
            guard registry.phone(phone.id) != nil else { throw PhoneGuard.unknown }
            body.leaveSlot()
            let link = link(key: nil, for: phone)
            let messages = try await link.during { () throws(HTTPError) in
                await link.take(.anything, within: limits.frameWait) ?? []
            }
            return .json(
                Data(#"{"key":"\#(link.key)","#.utf8) + Answer(messages: messages).data.dropFirst(), status: .created)
        }
        guard segments.count == 1 else { throw HTTPError.notFound }
        try request.allow(.GET, .POST, .DELETE)
        guard let link = reachable(String(key), of: phone) else { throw HTTPError.notFound }
        switch request.method {
        case .DELETE:
            link.end(WebSocketClose(1000, nil, ""))
            return StudioResponse(.noContent)
        case .GET:
            let isHurried = request.parameter("wait") == "0"
            // What waits takes nobody's place.
            body.leaveSlot()
            return try await answer(link, .anything, within: isHurried ? .zero : limits.messageWait)
        default:
            let isText = request.headers.first(name: "content-type")?.lowercased().hasPrefix("application/json") == true
            let data = try await body.collect(atMost: isText ? textBytes : frameBytes)
            guard !isText || String(validating: data, as: UTF8.self) != nil else {
                throw HTTPError.invalid("A message must be UTF-8.")
            }
            let message = isText ? SocketMessage.text(String(decoding: data, as: UTF8.self)) : .binary(data)
            let wanted = isText ? PhoneLink.Wanted.anything : Self.frame(data)
            body.leaveSlot()
            return try await answer(link, wanted, within: limits.frameWait, after: message)
        }
    }

    private func answer(
        _ link: PhoneLink, _ wanted: PhoneLink.Wanted, within time: Duration, after message: SocketMessage? = nil
    ) async throws -> StudioResponse {
        let messages = try await link.during { () throws(HTTPError) in
            if let message { try await link.deliver(message) }
            return await link.take(wanted, within: time)
        }
        guard let messages else { throw HTTPError.notFound }
        return .json(Answer(messages: messages).data)
    }

    /// A link that is open, or still has messages.
    private func reachable(_ key: String, of phone: Phone) -> PhoneLink? {
        guard let link = state.withLock({ $0.links[key]?.link }), link.phone == phone.id else { return nil }
        return link
    }

    /// The frame's number, the second field of its head.
    private static func frame(_ data: Data) -> PhoneLink.Wanted {
        guard data.count >= 8 else { return .anything }
        return .frame((0..<4).reversed().reduce(0) { $0 << 8 | UInt32(data[data.startIndex + 4 + $1]) })
    }
}
