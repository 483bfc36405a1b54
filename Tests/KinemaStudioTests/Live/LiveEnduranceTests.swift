import Foundation
import KinemaCore
import KinemaHTTP
import KinemaMedia
import KinemaTestSupport
import Testing

@testable import KinemaStudio

@Suite(.tags(.realTime)) struct LiveEnduranceTests {
    /// Sessions come and go, one of them long; nothing of them stays. `script/bench --studio-hour` is the long version.
    @Test func `many sessions leave no descriptor and no memory`() async throws {
        let frame = VideoFrame(
            bitmap: Bitmap(width: 64, height: 48, red: 90, green: 120, blue: 150),
            id: TemporalSegmentIdentifier(source: "grey", range: 0..<1, timescale: 1))
        let picture = try JPEGEncoder().jpeg(frame).bytes
        let service = LiveService.slow(pause: 0)
        // The first rounds fill what is kept for use again, that of the sessions' threads included.
        try await rounds(60, of: picture, service)
        let (descriptors, memory) = (Self.descriptors, Self.residentKilobytes)
        try await rounds(200, of: picture, service)
        #expect(Self.descriptors <= descriptors + 1)
        #expect(Self.residentKilobytes - memory < 20_000)
        #expect(service.models.waiting == 0)
    }

    private func rounds(_ count: Int, of picture: Data, _ service: LiveService) async throws {
        for round in 0..<count {
            let client = LiveClient(service)
            client.start(round % 2 == 0 ? "poses" : "count")
            for index in 0..<20 { _ = await client.showAndWait(picture, at: Double(index)) }
            if round % 3 == 0 {
                client.socket.hangUp()
                await client.serving.value
            } else {
                await client.leave()
            }
        }
    }

    private static var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    private static var residentKilobytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
