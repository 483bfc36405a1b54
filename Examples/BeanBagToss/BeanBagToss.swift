import Foundation
import Kinema
import KinemaDraw

/// Follows a game of bean-bag toss in a video and writes a video with the board, the bag's path and the points.
@main
enum BeanBagToss {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let video = arguments.first, video != "-h", video != "--help" else {
            return print("usage: BeanBagToss VIDEO [FILM.mp4]")
        }
        do {
            try await play(URL(filePath: video), film: URL(filePath: arguments.dropFirst().first ?? "BeanBagToss.mp4"))
        } catch {
            FileHandle.standardError.write(Data("BeanBagToss: \(error)\n".utf8))
            exit(1)
        }
    }

    /// Frames become poses, the game observes both, and its state is drawn on the frame.
    private static func play(_ video: URL, film: URL) async throws {
        let frames = try await VideoReader.read(contentsOf: video)
        var writer = try VideoWriter(
            url: film, width: Int(frames.frameSize.width), height: Int(frames.frameSize.height),
            timescale: frames.timescale)
        let renderer = OverlayRenderer()
        var game = TossAnalysis()
        for try await element in game.pipeline(frames) {
            for event in try game.take(element.feature) { tell(event) }
            var picture = try element.feature.frame.bitmap()
            try renderer.draw(game.layers, on: &picture)
            try writer.append(picture, at: element.id.range)
        }
        for event in game.finish() { tell(event) }
        try writer.finish()
        print("\(game.result.throwList.count) throws, \(game.result.total) points; watch them in \(film.path)")
    }

    private static func tell(_ event: AnalysisEvent) {
        guard case .thrown(let one) = event else { return }
        print("\(one.type), \(one.speedMph) mph, \(one.angle) degrees: +\(one.score)")
    }
}
