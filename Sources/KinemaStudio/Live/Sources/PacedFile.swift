import Foundation
import KinemaCore
import KinemaMedia

/// Plays a file in real time, as a camera would show it.
struct PacedFile {
    let frames: VideoReader.AsyncFrames
    let session: LiveSession

    /// Offers every frame when its time has come; those that are overtaken meanwhile are dropped as a camera's are.
    func play() async throws {
        let begin = ContinuousClock.now
        var sequence: UInt32 = 0
        for try await element in frames {
            let due = begin + .seconds(element.feature.time)
            if due > .now { try await Task.sleep(until: due, clock: .continuous) }
            guard session.endingReason == nil else { return }
            session.offer(LiveFrame(sequence: sequence, arrival: .now, content: .video(element.feature)))
            sequence &+= 1
        }
    }
}
