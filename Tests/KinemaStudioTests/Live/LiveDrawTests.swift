import Foundation
import KinemaMedia
import KinemaTestSupport
import Testing

@testable import KinemaStudio

struct LiveDrawTests {
    private static let clip = SharedData.file("hands/asl/no.mkv")

    /// The recording as a browser would send it.
    private func pictures() async throws -> [(jpeg: Data, time: Double)] {
        let encoder = try JPEGEncoder()
        var pictures: [(Data, Double)] = []
        for try await element in try await VideoReader.read(contentsOf: Self.clip) {
            pictures.append((try encoder.jpeg(element.feature).bytes, element.feature.time))
        }
        return pictures
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: LiveDrawTests.clip.path)))
    func aPinchDrawsAStrokeInTheColourChosenUntilItIsUndone() async throws {
        let pictures = try await pictures()
        let client = LiveClient(LiveService())
        client.start("draw")
        client.socket.say(##"{"type":"colour","value":"#12ab34"}"##)
        for picture in pictures { _ = await client.showAndWait(picture.jpeg, at: 10 + picture.time) }
        let drawn = client.all("result").compactMap { $0["draw"] as? [String: Any] }
        let strokes = drawn.flatMap { $0["strokes"] as? [[String: Any]] ?? [] }
        let last = try #require(strokes.last)
        #expect(last["colour"] as? String == "#12ab34")
        #expect((last["points"] as? [[Double]])?.first?.count == 2)
        #expect(drawn.contains { ($0["pinching"] as? [String])?.isEmpty == false })

        // Undone with the next picture, and told.
        let newest = try #require(strokes.compactMap { $0["id"] as? Int }.max())
        client.socket.say(#"{"type":"undo"}"#)
        let last2 = try #require(pictures.last)
        let answer = await client.showAndWait(last2.jpeg, at: 10 + last2.time + 5)
        #expect(((answer?["draw"] as? [String: Any])?["removed"] as? [Int])?.contains(newest) == true)

        let ended = await client.stop()
        let summary = try #require(ended?["summary"] as? [String: Any])
        #expect((summary["pinches"] as? [Any])?.isEmpty == false)
        let ids = Set(strokes.compactMap { $0["id"] as? Int })
        if ids.count > 1 { #expect((summary["drawing"] as? String)?.contains("<svg") == true) }
        await client.leave()
    }
}
