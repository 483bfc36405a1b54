import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaMedia

/// Streams that may lead to public addresses only, against a server at 127.0.0.1, which is allowed, that sends on to
/// 127.0.0.2, which is not.
@Suite(.tags(.realTime), .serialized) struct StreamReachTests {
    let clips: Clips
    let server: LocalServer

    init() throws {
        clips = try Clips()
        try clips.make("0.jpg", "-f lavfi -i testsrc2=s=160x120 -frames:v 1")
        server = try LocalServer(.web, clips.folder.path)
    }

    private static let home = NetworkAddress([127, 0, 0, 1])

    private func address(_ text: String, _ reach: StreamAddress.Reach) throws -> StreamAddress {
        var address = try StreamAddress(text)
        address.reach = reach
        return address
    }

    private func visits() throws -> String {
        let place = "http://127.0.0.1:\(server.port)/inner"
        return try Clips.run(
            "python3", ["-c", "import urllib.request as r; print(r.urlopen('\(place)').read().decode(), end='')"])
    }

    private func frames(_ text: String, _ reach: StreamAddress.Reach) async throws -> Int {
        let following = Following(try address(text, reach))
        try await following.read { $0.ids.count >= 20 }
        return following.ids.count
    }

    @Test
    func `A redirection or a playlist cannot reach an address of the local network`() async throws {
        try clips.make(
            "list.m3u8", "-f lavfi -i testsrc2=s=160x120:r=30 -frames:v 30 -c:v libx264 -g 15 -hls_time 1")
        let inside = "http://127.0.0.2:\(server.port)"
        try Data("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(inside)/list0.ts\n#EXT-X-ENDLIST\n".utf8).write(
            to: clips.url("evil.m3u8"))
        let outside = "http://127.0.0.1:\(server.port)"
        let guarded = StreamAddress.Reach.publicAddresses(and: [Self.home])
        // What is allowed is read, also through a redirection, so it is the address that counts.
        #expect(try await frames("\(outside)/0.jpg", guarded) == 1)
        #expect(try await frames("\(outside)/away?\(outside)/0.jpg", guarded) == 1)
        #expect(try await frames("\(outside)/list.m3u8", guarded) == 20)
        for place in [
            "\(outside)/away?\(inside)/0.jpg", "\(outside)/evil.m3u8", "\(inside)/0.jpg",
            "rtsp://127.0.0.2:\(server.port)/live", "rtsp://127.0.0.1:\(server.port)/live",
            "https://127.0.0.2:\(server.port)/0.jpg", "rtsps://127.0.0.2:\(server.port)/live",
        ] {
            #expect(try await Following(try address(place, guarded)).failure() != nil, "\(place)")
        }
        #expect(try visits() == "0")
        // Where nothing was said, they are followed; but a decoder process reaches no other machine of this network.
        guard Following.isolation == .none else {
            #expect(try await Following(try address("\(outside)/away?\(inside)/0.jpg", .anywhere)).failure() != nil)
            return #expect(try visits() == "0")
        }
        #expect(try await frames("\(outside)/away?\(inside)/0.jpg", .anywhere) == 1)
        #expect(try visits() == "1")
        #expect(
            try await Following("rtsp://127.0.0.1:\(server.port)/live").failure()?.message.contains("no such") == true)
        #expect(try visits() != "1")
    }

    @Test(arguments: [
        "127.0.0.1", "localhost", "2130706433", "0x7f.1", "0", "[::1]", "[::ffff:127.0.0.1]", "[::]",
    ])
    func `This machine is not reached by any of its names`(host: String) async throws {
        for scheme in ["http", "rtsp"] {
            let place = "\(scheme)://\(host):\(server.port)/0.jpg"
            #expect(try await Following(try address(place, .publicAddresses())).failure() != nil, "\(place)")
        }
    }

    @Test
    func `RTSP from an allowed machine plays`() async throws {
        let rtsp = try LocalServer(.rtsp)
        #expect(try await frames("rtsp://localhost:\(rtsp.port)/live", .publicAddresses(and: [Self.home])) == 20)
    }

    @Test(arguments: [
        ([8, 8, 8, 8], true), ([100, 63, 0, 1], true), ([172, 32, 0, 1], true), ([223, 255, 255, 1], true),
        ([0, 0, 0, 0], false), ([10, 1, 2, 3], false), ([100, 64, 0, 1], false), ([127, 8, 8, 8], false),
        ([169, 254, 169, 254], false), ([172, 31, 255, 1], false), ([192, 168, 1, 1], false),
        ([198, 19, 0, 1], false),
        ([224, 0, 0, 1], false), ([255, 255, 255, 255], false),
    ])
    func `Public addresses are told from those of a machine, its network, and of many`(bytes: [UInt8], isPublic: Bool) {
        #expect(NetworkAddress(bytes).isPublic == isPublic)
        let zeros = [UInt8](repeating: 0, count: 10)
        // The same in the notations of IPv6: mapped, and behind NAT64.
        #expect(NetworkAddress(zeros + [0xFF, 0xFF] + bytes).isPublic == isPublic)
        #expect(NetworkAddress([0, 0x64, 0xFF, 0x9B] + Array(zeros.prefix(8)) + bytes).isPublic == isPublic)
        #expect(!NetworkAddress(zeros + [0, 0] + bytes).isPublic)
    }

    @Test(
        arguments: [
            ([0x26, 0x06, 0x47], true), ([0x2A, 0x00], true), ([0x20, 0x01, 0x48, 0x60], true),
            ([0xFE, 0x80], false), ([0xFC], false), ([0xFD, 1], false), ([0xFF, 2], false),
            ([0x20, 0x01, 0, 0], false),
            ([0x20, 0x02, 127, 0, 0, 1], false), ([0x20, 0x01, 0x0D, 0xB8], false),
            ([0, 0x64, 0xFF, 0x9B, 0, 1], false),
        ] as [([UInt8], Bool)])
    func `Public addresses of IPv6`(prefix: [UInt8], isPublic: Bool) {
        #expect(NetworkAddress(prefix + [UInt8](repeating: 1, count: 16 - prefix.count)).isPublic == isPublic)
    }
}
