import Testing

@testable import KinemaStudio

struct ServerRuleTests {
    @Test(
        arguments: [
            ("localhost", "localhost", nil), ("LocalHost:80", "localhost", 80), ("127.0.0.1:8787", "127.0.0.1", 8787),
            ("[::1]", "::1", nil), ("[::1]:8787", "::1", 8787), ("a-b.example:65535", "a-b.example", 65_535),
        ] as [(String, String, Int?)]) func anAuthorityIsRead(text: String, host: String, port: Int?)
    {
        let authority = Authority(text)
        #expect(authority?.host == host)
        #expect(authority?.port == port)
    }

    @Test(arguments: [
        "", ":80", "host:", "host:port", "host:65536", "host:-1", "a b", "a/b", "a@b", "[::1", "[::1]x", "[]", "::1",
        "a:1:2",
        "ho\u{0}st", "höst", "host:٣",
    ]) func whatIsNoAuthorityIsRefused(text: String) {
        #expect(Authority(text) == nil)
    }

    @Test func aRateIsABurstAndThenSoManyASecond() {
        var rate = RateLimit(perSecond: 10, burst: 3)
        let admitted = [0.0, 0, 0, 0, 0.05, 0.1, 0.15, 0.2, 10, 10, 10, 10].map { rate.admits(at: $0) }
        #expect(
            admitted == [true, true, true, false, false, true, false, true, true, true, true, false])
    }

    @Test func aTokenMatchesItselfAlone() throws {
        let token = try AccessToken("abcdefghijkl")
        #expect(token.matches("abcdefghijkl"))
        for word in ["", "abcdefghijk", "abcdefghijklm", "Abcdefghijkl", "abcdefghijkL"] {
            #expect(!token.matches(word))
        }
    }
}
