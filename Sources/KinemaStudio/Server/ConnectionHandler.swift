import KinemaHTTP
import KinemaPhones
import Foundation
import KinemaCore
import NIOCore
import NIOHTTP1

/// Who is admitted by a listener.
enum Door: Sendable {
    case owner(AccessGuard)
    case phones(PhoneGuard, PhoneService)

    /// Whether a request tries to be admitted.
    func bringsToken(_ request: StudioRequest) -> Bool {
        switch self {
        case .owner(let access): access.bringsToken(request)
        case .phones(let access, _): access.bringsToken(request)
        }
    }

    func signIn(_ request: StudioRequest) -> StudioResponse? {
        if case .owner(let access) = self { access.signIn(request) } else { nil }
    }
}

struct ServerContext: Sendable {
    var door: Door
    let throttle: AuthenticationThrottle
    let report: @Sendable (Diagnostic) -> Void
    let routes: StudioRoutes
    let limits: StudioLimits
    let requests: ConcurrencyLimiter
    let sockets: ConnectionLimiter
    var port: Int
}

/// Serves one connection: its requests in turn, or its WebSocket after an upgrade.
struct ConnectionHandler: Sendable {
    let connection: HTTPConnection
    let context: ServerContext

    func run() async {
        await connection.serve {
            while case .success(.head(let head))? = try await nextHead() {
                guard try await exchange(StudioRequest(head, on: connection)) else { break }
            }
        }
        if case .phones(_, let phones) = context.door { phones.release(connection.channel) }
    }

    private func nextHead() async throws -> HTTPConnection.Event? {
        let event = try await connection.next()
        if case .failure(let error)? = event {
            try await send(StudioResponse(error), to: nil)
            return nil
        }
        return event
    }

    private func exchange(_ request: StudioRequest) async throws -> Bool {
        var body = RequestBody(request, connection)
        var response: StudioResponse
        do {
            response = try await answerWhileConnected(request, &body)
            if response.status == .switchingProtocols { return try await serveSocket(request, response.headers) }
        } catch let error where !(error is ChannelError) {
            response = answer(to: HTTPError(error), request)
        }
        // After an upgrade request the parser cannot read on.
        if request.headers.contains(name: "upgrade") || !request.head.isKeepAlive { response.closes = true }
        if !response.closes, try await !skip(&body) { response.closes = true }
        defer { withExtendedLifetime(response.permit) {} }
        try await send(response, to: request)
        connection.slot.markIdle()
        return !response.closes
    }

    /// Answers in a task that is cancelled when the client disconnects.
    private func answerWhileConnected(
        _ request: StudioRequest, _ body: inout RequestBody
    ) async throws -> StudioResponse {
        let task = Task { [body] in
            var body = body
            do {
                return (Result<StudioResponse, any Error>.success(try await answer(request, &body)), body)
            } catch {
                return (.failure(error), body)
            }
        }
        connection.work.begin { task.cancel() }
        defer { connection.work.end() }
        let answered = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        body = answered.1
        return try answered.0.get()
    }

    private func answer(to error: HTTPError, _ request: StudioRequest) -> StudioResponse {
        let isForPerson =
            error.status == .unauthorized && !request.isAPI
            && request.headers["accept"].contains { $0.contains("text/html") }
        guard isForPerson else { return StudioResponse(error) }
        // The phones' page says how to be paired, in both languages.
        if case .phones = context.door { return StudioResponse(.seeOther, fields: ["Location": "./phone"]) }
        return .tokenNeeded(error)
    }

    private func skip(_ body: inout RequestBody) async throws -> Bool {
        do {
            return try await body.skip(atMost: context.limits.bodyBytes)
        } catch is HTTPError {
            return false
        }
    }

    private func answer(_ request: StudioRequest, _ body: inout RequestBody) async throws -> StudioResponse {
        guard request.head.uri.utf8.count <= context.limits.addressBytes else { throw HTTPError.longAddress }
        let (caller, redirect) = try await authorise(request)
        if let redirect { return redirect }
        guard request.hasReadableQuery else { throw HTTPError.unreadableQuery }
        try body.takeSlot(of: context.requests)
        defer { body.leaveSlot() }
        if request.path == "/live" {
            guard try await body.skip(atMost: 0) else { throw HTTPError.largeBody }
            return try await WebSocketHandshake.answer(request, on: connection.channel)
        }
        guard case .phones(let access, let phones) = context.door else {
            return try await context.routes.answer(request, &body)
        }
        if let phone = caller.phone { phones.hold(connection.channel, of: phone.id) }
        do {
            return try await answer(request, &body, from: caller, access, phones)
        } catch let error as HTTPError where error == PhoneService.pairingExpired {
            // A wrong guess takes no request's place while it waits.
            body.leaveSlot()
            try await delay(request)
            throw error
        }
    }

    /// Answers a request to the phones' listener.
    private func answer(
        _ request: StudioRequest, _ body: inout RequestBody, from caller: Caller, _ access: PhoneGuard,
        _ phones: PhoneService
    ) async throws -> StudioResponse {
        if request.path == "/" { return StudioResponse(.seeOther, fields: ["Location": "./phone"]) }
        let segments = request.segments
        guard segments.first == "api", segments.count > 1 else {
            return try await context.routes.answer(request, &body)
        }
        if segments[1] == "pair", segments.count == 2 {
            return try await phones.pair(request, &body, from: caller, access)
        }
        guard let phone = caller.phone else { throw HTTPError.notFound }
        switch segments[1] {
        case "phone": return try await phones.phone(request, segments.dropFirst(2), &body, phone)
        case "live":
            return try await phones.links.answer(
                request, segments.dropFirst(2), &body, for: phone, frameBytes: context.limits.live.frameBytes,
                textBytes: context.limits.textBytes)
        default: return try await context.routes.answer(request, &body, from: caller)
        }
    }

    /// Admits the request or throws, delayed after a wrong token; returns the redirection of ``Door/signIn(_:)``, if any.
    private func authorise(_ request: StudioRequest) async throws -> (Caller, StudioResponse?) {
        let door = context.door
        if !connection.work.isAdmitted, door.bringsToken(request) {
            try await context.throttle.awaitTurn(connection)
        }
        do {
            let caller = try admit(request)
            if case .stranger = caller {} else { connection.work.admit() }
            return (caller, request.parameter("token") == nil ? nil : door.signIn(request))
        } catch let error as HTTPError where error.status == .unauthorized {
            if let redirect = door.signIn(request) { return (.stranger, redirect) }
            if door.bringsToken(request) { try await delay(request) }
            throw error
        }
    }

    private func admit(_ request: StudioRequest) throws -> Caller {
        let local = (connection.localHost, context.port)
        switch context.door {
        case .owner(let access):
            try access.check(request, local: local)
            return .owner
        case .phones(let access, _): return try access.admit(request, local: local)
        }
    }

    /// Counts a wrong token and delays its answer.
    private func delay(_ request: StudioRequest) async throws {
        let (delay, count) = context.throttle.recordFailure(of: connection.client)
        if let count {
            // Phones connect without a proxy: what they say of one is theirs.
            var forwarded = request.headers.first(name: "x-forwarded-for")
            if case .phones = context.door { forwarded = nil }
            context.report(FailedTokens.line(count, from: connection.client, forwardedFor: forwarded))
        }
        try await connection.pause(delay)
    }

    // MARK: The WebSocket

    private func serveSocket(_ request: StudioRequest, _ fields: HTTPHeaders) async throws -> Bool {
        let caller = try admit(request)
        if case .phones(_, let phones) = context.door { phones.release(connection.channel) }
        let socket = try await connection.upgrade(fields: fields)
        await withTaskCancellationHandler {
            if let slot = context.sockets.add(connection.client, close: { socket.close(.tooMany) }) {
                await serve(socket.holding(slot), from: caller, key: request.parameter("key"))
                slot.remove()
                socket.close(WebSocketClose(1000, nil, ""))
            } else {
                socket.close(.tooMany)
            }
            await socket.closed()
        } onCancel: {
            socket.close(.goingAway)
        }
        return false
    }

    private func serve(_ socket: WebSocketConnection, from caller: Caller, key: String?) async {
        let services = context.routes.services
        if let phone = caller.phone, let links = services.phones?.links {
            await links.link(key: key, for: phone).carry(socket)
        } else {
            await services.live.serve(socket, from: LiveSender(room: services.phones?.room))
        }
    }

    // MARK: The response

    private func send(_ response: StudioResponse, to request: StudioRequest?) async throws {
        var fields = response.headers
        SecurityHeaders.add(to: &fields, isAPI: request?.isAPI ?? true)
        var isStream = false
        if case .events = response.body { isStream = true }
        if response.status.mayHaveResponseBody, !isStream {
            fields.add(name: "Content-Length", value: "\(response.body.count)")
        }
        if response.closes { fields.add(name: "Connection", value: "close") }
        try await connection.send(
            .head(HTTPResponseHead(version: .http1_1, status: response.status, headers: fields)))
        // A slow reader of an export keeps others from theirs.
        var pace = response.permit.map { _ in UploadRateCheck(context.limits, from: .now) }
        if request?.method != .HEAD { try await send(response.body, &pace) }
        try await connection.send(.end(nil))
        connection.finishResponse(closing: response.closes)
    }

    private func send(_ body: StudioResponse.Body, _ pace: inout UploadRateCheck?) async throws {
        switch body {
        case .none: break
        case .bytes(let data):
            // In pieces, so that a slow reader does not look stalled.
            for start in stride(from: 0, to: data.count, by: context.limits.outboundBytes) {
                let piece = data.dropFirst(start).prefix(context.limits.outboundBytes)
                try await send(piece, &pace)
            }
        case .file(let url, let range):
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            try await send(file, range, &pace)
        case .open(let file, let count): try await send(file, 0..<count, &pace)
        case .events(let pieces):
            for await piece in pieces {
                try await connection.send(.body(.byteBuffer(ByteBuffer(bytes: piece))))
            }
        }
    }

    private func send(_ file: FileHandle, _ range: Range<Int>, _ pace: inout UploadRateCheck?) async throws {
        try file.seek(toOffset: UInt64(range.lowerBound))
        var left = range.count
        while left > 0, let data = try file.read(upToCount: min(left, context.limits.outboundBytes)), !data.isEmpty {
            left -= data.count
            try await send(data, &pace)
        }
        // A file that is shorter than announced ends the connection.
        guard left == 0 else { throw ChannelError.inputClosed }
    }

    private func send(_ piece: Data, _ pace: inout UploadRateCheck?) async throws {
        try await connection.send(.body(.byteBuffer(ByteBuffer(bytes: piece))))
        guard pace?.take(piece.count, at: .now) != false else { throw ChannelError.inputClosed }
    }
}

enum SecurityHeaders {
    /// Only the studio's scripts, styles and connections; no frames, no forms, nothing inline.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
        "media-src 'self' blob:", "connect-src 'self'", "manifest-src 'self'", "font-src 'self'", "base-uri 'none'",
        "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    static func add(to fields: inout HTTPHeaders, isAPI: Bool) {
        if !fields.contains(name: "content-security-policy") {
            fields.add(name: "Content-Security-Policy", value: policy)
        }
        fields.add(name: "X-Content-Type-Options", value: "nosniff")
        fields.add(name: "Referrer-Policy", value: "no-referrer")
        fields.add(name: "Permissions-Policy", value: "camera=(self), microphone=(), geolocation=()")
        fields.add(name: "Cross-Origin-Resource-Policy", value: "same-origin")
        fields.add(name: "Cross-Origin-Opener-Policy", value: "same-origin")
        fields.add(name: "X-Frame-Options", value: "DENY")
        if isAPI || !fields.contains(name: "cache-control") {
            fields.replaceOrAdd(name: "Cache-Control", value: "no-store")
        }
    }
}
