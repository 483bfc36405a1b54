import KinemaVision
import ArgumentParser
import Kinema

struct MasksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "masks",
        abstract: "Times person segmentation at each level, compared with body poses of the same frames.")

    @Argument(help: "A video file.")
    var input: String

    @Option(help: "The number of frames, from the first.")
    var frames = 60

    private struct Rate: Encodable {
        let request: String, framesPerSecond: Double, timesBodyPose: Double
    }

    func run() async throws {
        var pictures: [VideoFrame] = []
        for try await element in try await KinemaBench.frames(of: input) where pictures.count < frames {
            pictures.append(element.feature)
        }
        // Whole passes alternate, so that a disturbance affects all of them.
        let levels = GeneratePersonSegmentationRequest.QualityLevel.allCases
        var best = [Double](repeating: .infinity, count: levels.count + 1)
        for _ in 0..<5 {
            for index in best.indices {
                let cost = try await ProcessorTime.cost {
                    for picture in pictures {
                        if index == 0 {
                            var request = DetectHumanBodyPoseRequest()
                            request.detectsHands = false
                            _ = try await request.perform(on: picture)
                        } else {
                            let request = GeneratePersonSegmentationRequest()
                            request.qualityLevel = levels[index - 1]
                            _ = try await request.perform(on: picture)
                        }
                    }
                }
                best[index] = min(best[index], cost.wall / Double(max(1, pictures.count)))
            }
        }
        for (name, seconds) in zip(["body pose"] + levels.map { "\($0)" }, best) {
            try KinemaBench.write(
                Rate(request: name, framesPerSecond: 1 / seconds, timesBodyPose: seconds / best[0]))
        }
    }
}
