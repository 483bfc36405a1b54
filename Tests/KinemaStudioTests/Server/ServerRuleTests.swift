import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaHTTP
@testable import KinemaStudio

struct ServerRuleTests {
    @Test(
        arguments: [
            ("localhost", "localhost", nil), ("LocalHost:80", "localhost", 80), ("127.0.0.1:8787", "127.0.0.1", 8787),
            ("[::1]", "::1", nil), ("[::1]:8787", "::1", 8787), ("a-b.example:65535", "a-b.example", 65_535),
        ] as [(String, String, Int?)]) func `an authority is read`(text: String, host: String, port: Int?)
    {
        let authority = Authority(text)
        #expect(authority?.host == host)
        #expect(authority?.port == port)
    }

    @Test(arguments: [
        "", ":80", "host:", "host:port", "host:65536", "host:-1", "a b", "a/b", "a@b", "[::1", "[::1]x", "[]", "::1",
        "a:1:2",
        "ho\u{0}st", "höst", "host:٣", "\u{212A}x",
    ]) func `what is no authority is refused`(text: String) {
        #expect(Authority(text) == nil)
    }

    @Test func `a token bucket admits a burst and then its rate`() {
        var rate = TokenBucket(perSecond: 10, burst: 3)
        let begin = ContinuousClock.now
        let moments = [0, 0, 0, 0, 50, 100, 150, 200, 10_000, 10_000, 10_000, 10_000]
        let admitted = moments.map { rate.admits(at: begin + .milliseconds($0)) }
        #expect(
            admitted == [true, true, true, false, false, true, false, true, true, true, true, false])
    }

    @Test func `a token matches itself alone`() throws {
        let token = try AccessToken("acegkinqtvxbdh")
        #expect(token.matches("acegkinqtvxbdh"))
        for word in ["", "acegkinqtvxbd", "acegkinqtvxbdhi", "Acegkinqtvxbdh", "acegkinqtvxbdH"] {
            #expect(!token.matches(word))
        }
    }

    @Test func `each wrong token of an address doubles the wait, to a bound, and is forgotten in time`() {
        var limits = StudioLimits()
        (limits.wrongTokenDelay, limits.wrongTokenMaximumDelay) = (.milliseconds(250), .seconds(4))
        (limits.wrongTokenMemory, limits.wrongTokenAddresses) = (.seconds(300), 2)
        var tokens = FailedTokens(limits: limits)
        func delays(_ address: String, _ times: [Double]) -> [Duration] {
            times.map { tokens.record(ClientAddress(address), at: $0).delay }
        }
        let steps = [250, 500, 1_000, 2_000, 4_000, 4_000].map { Duration.milliseconds($0) }
        #expect(delays("10.0.0.1", [0, 0, 0, 1, 1, 2]) == steps)
        #expect(delays("10.0.0.2", [2]) == [steps[0]])
        #expect(delays("10.0.0.1", [302, 603]) == [steps[4], steps[0]])
        // A third address takes the place of the one heard of least recently.
        #expect(delays("10.0.0.3", [604]) == [steps[0]])
        #expect(delays("10.0.0.1", [605]) == [steps[1]])
        #expect(delays("10.0.0.2", [606]) == [steps[0]])
        for _ in 0..<100 { #expect(delays("10.0.0.2", [607]).allSatisfy { $0 <= .seconds(4) }) }
    }

    @Test func `requests of an address that sent a wrong token are checked one after another`() {
        var limits = StudioLimits()
        (limits.tokenInterval, limits.wrongTokenMemory) = (.milliseconds(20), .seconds(300))
        var tokens = FailedTokens(limits: limits)
        let (guesser, other) = (ClientAddress("10.0.0.1"), ClientAddress("10.0.0.2"))
        let requests = (0..<3).map { _ in ConnectionWork() }
        func wait(_ request: Int, _ client: ClientAddress, _ time: Double) -> Double? {
            tokens.wait(of: ObjectIdentifier(requests[request]), client, at: time).map { $0 / .milliseconds(1) }
        }
        #expect(wait(0, guesser, 1) == nil)
        _ = tokens.record(guesser, at: 1)
        #expect(wait(0, guesser, 1) == nil)
        tokens.leave(ObjectIdentifier(requests[0]), guesser)
        #expect(abs((wait(1, guesser, 1) ?? 0) - 20) < 0.01 && abs((wait(2, guesser, 1) ?? 0) - 40) < 0.01)
        #expect(wait(2, other, 1) == nil)
        // Whoever hangs up gives the turn to the next.
        tokens.leave(ObjectIdentifier(requests[1]), guesser)
        #expect(wait(2, guesser, 1.03) == nil)
        #expect(wait(1, guesser, 302) == nil)
    }

    @Test func `an address has a share of the slots, and one is kept for this machine`() {
        let limiter = ConcurrencyLimiter(4, perAddress: 2)
        var permits: [ConcurrencyLimiter.Permit] = []
        func takes(_ address: String) -> Bool {
            let permit = limiter.permit(for: ClientAddress(address))
            if let permit { permits.append(permit) }
            return permit != nil
        }
        let taken = ["10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.3", "127.0.0.1", "::1"].map(takes)
        #expect(taken == [true, true, false, true, false, true, false])
        permits.removeFirst()
        #expect(!takes("10.0.0.1") && takes("::1"))
        let connections = ConnectionLimiter(8, perAddress: 8)
        let busy = (0..<8).compactMap { _ -> ConnectionLimiter.Slot? in
            let slot = connections.add(ClientAddress("10.0.0.1")) {}
            slot?.markBusy()
            return slot
        }
        #expect(busy.count == 7 && connections.add(ClientAddress("127.0.0.2")) {} != nil)
    }

    @Test func `wrong tokens are told of at once and then now and then, with how many there were`() {
        var limits = StudioLimits()
        limits.wrongTokenReportInterval = .seconds(10)
        var tokens = FailedTokens(limits: limits)
        let news = [0.0, 1, 2, 9.9, 10, 11, 30].map {
            tokens.record(ClientAddress("10.0.0.\(Int($0))"), at: $0).reported
        }
        #expect(news == [1, nil, nil, nil, 4, nil, 2])
    }

    @Test(
        arguments: [
            ("10.0.0.1", "10.0.0.1"), ("::ffff:10.0.0.1", "10.0.0.1"), ("::1", "::1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8::5", "2001:db8:0:0::/64"),
            ("fe80::1:2", "fe80::1:2"), ("", ""),
        ]) func `an address counts alone, of IPv6 with its network`(address: String, key: String)
    {
        #expect(ClientAddress(address).key == key)
    }

    @Test(
        arguments: [
            ([0x81, 0x80, 1, 2, 3, 4], true), ([0x82, 0xFE, 0, 126], true), ([0x82, 0xFE, 0, 125], false),
            ([0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0], true), ([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], false),
            ([0x82, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0], true),
            // What looks like a bad head inside a frame's data is none.
            ([0x82, 0x04, 0x82, 0xFE, 0, 1, 0x82, 0x00], true), ([0x82, 0x04, 0, 0, 0, 0, 0x82, 0x7E, 0, 1], false),
        ] as [([UInt8], Bool)]) func `a length stands in its shortest form`(bytes: [UInt8], isMinimal: Bool)
    {
        var whole = FrameLengthParser()
        #expect(whole.take(bytes) == isMinimal)
        // The same byte by byte, as a slow line brings them.
        var parts = FrameLengthParser()
        #expect(bytes.map { parts.take([$0]) }.last == isMinimal)
    }

    @Test func `a token is read from the first line of a file`() throws {
        let folder = try TemporaryFolder()
        try Data("acegkinqtvxbdh\r\nwhatever\n".utf8).write(to: folder.file("token"))
        #expect(try AccessToken(contentsOf: folder.file("token")).text == "acegkinqtvxbdh")
        try Data("short\n".utf8).write(to: folder.file("token"))
        #expect(throws: KinemaError.self) { try AccessToken(contentsOf: folder.file("token")) }
        #expect(throws: KinemaError.self) { try AccessToken(contentsOf: folder.file("nothing")) }
    }
}
