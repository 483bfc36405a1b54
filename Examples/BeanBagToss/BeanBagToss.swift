import Foundation
import Kinema
import KinemaToss

/// Follows a game of bean-bag toss in a video and prints every throw as soon as it is over.
@main
enum BeanBagToss {
    static func main() async {
        guard let path = CommandLine.arguments.dropFirst().first, path != "-h", path != "--help" else {
            return print("usage: BeanBagToss FILE")
        }
        do {
            try await play(URL(filePath: path))
        } catch {
            FileHandle.standardError.write(Data("BeanBagToss: \(error)\n".utf8))
            exit(1)
        }
    }

    /// Frames become poses, the watcher adds what flies and where the board is, and the game makes throws of it.
    private static func play(_ url: URL) async throws {
        let frames = try await VideoReader.read(contentsOf: url)
        var watcher = TossWatcher()
        var game = TossGame(aspectRatio: frames.frameSize.width / frames.frameSize.height)
        for try await element in PosePipeline(smooths: false)(frames) {
            let seen = try await watcher.look(at: element.feature.frame, poses: element.feature.poses)
            for event in game.update(seen) { tell(event) }
        }
        for event in game.finish() { tell(event) }
        print("\(game.stats.throwCount) throws, \(game.stats.totalScore) points")
    }

    private static func tell(_ event: TossEvent) {
        switch event {
        case .stateChanged(_, .detectedBoard): print("Board Detected")
        case .stateChanged(_, .detectedPlayer): print("Go")
        case .stateChanged, .throwBegan: break
        case .throwCompleted(let one):
            let metrics = one.metrics
            let speed = String(format: "%.1f mph, %.0f degrees", metrics.releaseSpeedMilesPerHour, metrics.launchAngle)
            print("\(one.number). \(metrics.throwType.rawValue), \(speed): +\(metrics.score.rawValue)")
        }
    }
}
