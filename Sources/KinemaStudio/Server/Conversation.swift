import Foundation
import KinemaCore
import NIOCore
import NIOHTTP1

/// What every connection of a server shares.
struct StudioDesk: Sendable {
    let access: AccessGuard
    let wrongTokens: WrongTokenLedger
    let report: @Sendable (Diagnostic) -> Void
    let routes: StudioRoutes
    let limits: StudioLimits
    let requests: Permits
    let sockets: Permits
    /// The port we listen on.
    let port: Int
}

/// One connection from its first request to its end, be it as a socket.
struct Conversation: Sendable {
    let connection: HTTPConnection
    let desk: StudioDesk

    /// Answers requests until the client has gone, or the task is cancelled.
    func run() async {
        await withTaskCancellationHandler {
            do {
                while case .head(let head)? = try await nextHead() {
                    guard try await exchange(StudioRequest(head)) else { break }
                }
            } catch {
                // The client has gone, or does not read: there is nobody to tell.
                connection.channel.close(promise: nil)
            }
            await connection.closed()
        } onCancel: {
            connection.leave()
        }
    }

    private func nextHead() async throws -> HTTPStage.Event? {
        let event = try await connection.next()
        if case .refused(let refusal)? = event {
            try await send(StudioResponse(refusal), to: nil)
            return nil
        }
        return event
    }

    /// One request and its answer; false when the connection is over.
    private func exchange(_ request: StudioRequest) async throws -> Bool {
        var body = RequestBody(request, connection)
        var response: StudioResponse
        do {
            response = try await answer(request, &body)
            if response.status == .switchingProtocols { return try await serveSocket(response.headers) }
        } catch let error where !(error is ChannelError) {
            response = Self.response(Refusal(error), to: request)
        }
        // Behind a request to change the protocol the parser understands nothing more.
        if request.headers.contains(name: "upgrade") || !request.head.isKeepAlive { response.closes = true }
        if !response.closes, try await !skip(&body) { response.closes = true }
        try await send(response, to: request)
        connection.place.release()
        return !response.closes
    }

    private static func response(_ refusal: Refusal, to request: StudioRequest) -> StudioResponse {
        let isForPerson =
            refusal.status == .unauthorized && !request.isAPI
            && request.headers["accept"].contains { $0.contains("text/html") }
        return isForPerson ? .tokenNeeded(refusal) : StudioResponse(refusal)
    }

    private func skip(_ body: inout RequestBody) async throws -> Bool {
        do {
            return try await body.skip(atMost: desk.limits.bodyBytes)
        } catch is Refusal {
            return false
        }
    }

    private func answer(_ request: StudioRequest, _ body: inout RequestBody) async throws -> StudioResponse {
        guard request.head.uri.utf8.count <= desk.limits.addressBytes else { throw Refusal.longAddress }
        if let welcome = try await check(request) { return welcome }
        guard request.hasReadableQuery else { throw Refusal.unreadableQuery }
        connection.place.occupy()
        guard desk.requests.take() else { throw Refusal.busy }
        defer { desk.requests.giveBack() }
        if request.path == "/live" {
            guard try await body.skip(atMost: 0) else { throw Refusal.largeBody }
            return try await Handshake.answer(request, on: connection.channel)
        }
        return try await desk.routes.answer(request, &body)
    }

    /// Lets the request in, or throws the refusal, which whoever sent a wrong token waits for.
    private func check(_ request: StudioRequest) async throws -> StudioResponse? {
        var host = connection.channel.localAddress?.ipAddress ?? ""
        // An IPv4 client of a listener for both kinds.
        if host.hasPrefix("::ffff:") { host = String(host.dropFirst(7)) }
        let local = (host: host, port: desk.port)
        do {
            try desk.access.check(request, local: local)
            return request.parameter("token") == nil ? nil : desk.access.welcome(request)
        } catch let refusal as Refusal where refusal.status == .unauthorized {
            if let welcome = desk.access.welcome(request) { return welcome }
            guard desk.access.bringsToken(request) else { throw refusal }
            let (delay, news) = desk.wrongTokens.note(connection.client)
            if let news {
                let forwarded = request.headers.first(name: "x-forwarded-for")
                desk.report(WrongTokens.line(news, from: connection.client, forwardedFor: forwarded))
            }
            try await connection.pause(delay)
            throw refusal
        }
    }

    // MARK: The socket

    private func serveSocket(_ fields: HTTPHeaders) async throws -> Bool {
        let socket = try await connection.upgrade(fields: fields)
        await withTaskCancellationHandler {
            if desk.sockets.take() {
                await desk.routes.services.live.serve(socket)
                desk.sockets.giveBack()
                socket.end(SocketFarewell(1000, nil, ""))
            } else {
                socket.end(.tooMany)
            }
            await socket.closed()
        } onCancel: {
            socket.end(.leaving)
        }
        return false
    }

    // MARK: The answer

    private func send(_ response: StudioResponse, to request: StudioRequest?) async throws {
        var fields = response.headers
        ProtectiveFields.add(to: &fields, isAPI: request?.isAPI ?? true)
        if response.status.mayHaveResponseBody { fields.add(name: "Content-Length", value: "\(response.body.count)") }
        if response.closes { fields.add(name: "Connection", value: "close") }
        try await connection.send(
            .head(HTTPResponseHead(version: .http1_1, status: response.status, headers: fields)))
        if request?.method != .HEAD { try await send(response.body) }
        try await connection.send(.end(nil))
        connection.answered(closing: response.closes)
    }

    private func send(_ body: StudioResponse.Body) async throws {
        switch body {
        case .none: break
        case .bytes(let data): try await connection.send(.body(.byteBuffer(ByteBuffer(bytes: data))))
        case .file(let url, let range):
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            try file.seek(toOffset: UInt64(range.lowerBound))
            var left = range.count
            while left > 0, let data = try file.read(upToCount: min(left, desk.limits.outboundBytes)), !data.isEmpty {
                left -= data.count
                try await connection.send(.body(.byteBuffer(ByteBuffer(bytes: data))))
            }
            // Fewer bytes than were announced end the connection, so that they do not pass for the whole.
            guard left == 0 else { throw ChannelError.inputClosed }
        }
    }
}
