import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaMedia

/// Against servers whose certificate is of "localhost" and signed by itself.
@Suite(.tags(.realTime), .serialized) struct EncryptedStreamTests {
    let clips: Clips

    init() throws {
        clips = try Clips()
    }

    private var authority: String { clips.url("own.pem").path }

    /// What the server heard inside encrypted connections.
    private var heard: String { (try? String(contentsOf: clips.url("heard"), encoding: .utf8)) ?? "" }

    private func address(_ text: String, _ trust: StreamAddress.Trust) throws -> StreamAddress {
        var address = try StreamAddress(text)
        address.trust = trust
        return address
    }

    private func failure(_ text: String, _ trust: StreamAddress.Trust) async throws -> String {
        let error = try #require(try await Following(try address(text, trust)).failure(), "\(text) was read")
        #expect(error.code == .unreadableInput && !error.description.contains("glass"))
        return error.message
    }

    @Test
    func `An https certificate must match the host and be signed by a known authority, unless any is accepted`()
        async throws
    {
        try clips.make("0.jpg", "-f lavfi -i testsrc2=s=160x120 -frames:v 1")
        let web = try LocalServer(.web, clips.folder.path)
        let server = try LocalServer(.tls, "\(web.port)", clips.folder.path)
        let place = "https://eye:glass@localhost:\(server.port)/locked/0.jpg"
        let system = StreamAddress.Trust.authorities(file: nil)
        #expect(try await failure(place, system).hasPrefix("the server's certificate is not trusted"))
        // The authority is known, but the certificate is another host's.
        let other = place.replacing("localhost", with: "127.0.0.1")
        #expect(try await failure(other, .authorities(file: authority)).contains("not trusted"))
        #expect(try await failure(place, .authorities(file: clips.url("none.pem").path)).contains("not trusted"))
        #expect(heard.isEmpty, "something was said to a server that nobody knows")
        for (place, trust) in [(place, .authorities(file: authority)), (other, StreamAddress.Trust.anyone)] {
            let following = Following(try address(place, trust))
            try await following.read()
            #expect(following.ids.count == 1)
        }
        #expect(heard.contains("Authorization"))
    }

    @Test
    func `A playlist's segments are checked like the playlist`() async throws {
        try clips.make(
            "list.m3u8", "-f lavfi -i testsrc2=s=160x120:r=30 -frames:v 30 -c:v libx264 -g 15 -hls_time 1")
        let web = try LocalServer(.web, clips.folder.path)
        let server = try LocalServer(.tls, "\(web.port)", clips.folder.path)
        let segment = "https://localhost:\(server.port)/list0.ts"
        try Data("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(segment)\n#EXT-X-ENDLIST\n".utf8).write(
            to: clips.url("mixed.m3u8"))
        let place = "http://127.0.0.1:\(web.port)/mixed.m3u8"
        _ = try await failure(place, .authorities(file: nil))
        #expect(heard.isEmpty)
        let following = Following(try address(place, .authorities(file: authority)))
        try await following.read()
        #expect(following.ids.count == 30)
    }

    @Test
    func `An rtsps password is sent only to an authenticated server`() async throws {
        let rtsp = try LocalServer(.rtsp, "--closed")
        let server = try LocalServer(.tls, "\(rtsp.port)", clips.folder.path)
        let place = "rtsps://eye:glass@localhost:\(server.port)/live"
        let other = place.replacing("localhost", with: "127.0.0.1")
        #expect(try await failure(place, .authorities(file: nil)).hasPrefix("the server's certificate is not trusted"))
        #expect(try await failure(other, .authorities(file: authority)).contains("not trusted"))
        #expect(heard.isEmpty, "something was said to a server that nobody knows")
        for (place, trust) in [(place, .authorities(file: authority)), (other, StreamAddress.Trust.anyone)] {
            let following = Following(try address(place, trust))
            let frames = try await following.read { $0.ids.count >= 10 }
            #expect(frames.isLive && frames.frameSize == CGSize(width: 320, height: 240))
        }
        #expect(heard.contains("DESCRIBE rtsp://"))
    }
}
