import Foundation
import Kinema
import OpenCombine

/// `ObservedCoach VIDEO`: prints the phases and the repetitions of bicep curls as a view that observes them shows them.
@main
enum ObservedCoach {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: ObservedCoach VIDEO")
            exit(64)
        }
        let estimator = PoseEstimator(rule: BicepCurlRule())
        var subscriptions: Set<AnyCancellable> = []
        estimator.repCounter.$currentPhase.dropFirst().sink { print("phase: \($0)") }.store(in: &subscriptions)
        estimator.repCounter.$currentReps.filter { $0 > 0 }.sink { print("repetitions: \($0)") }.store(
            in: &subscriptions)
        do {
            for try await frame in try await VideoReader.read(contentsOf: URL(filePath: CommandLine.arguments[1])) {
                await estimator.process(frame.feature)
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
        print("\(estimator.repCounter.currentReps) repetitions in \(estimator.analysedFrames) frames")
    }
}
