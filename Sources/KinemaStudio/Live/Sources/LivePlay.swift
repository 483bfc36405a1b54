import Foundation
import KinemaCore
import KinemaMedia

/// Brings the frames of a camera, a stream or a file as they come; a file is played in real time.
struct LivePlay {
    let input: MediaInput
    let session: LiveSession
    let limits: ReadingLimits

    /// Opens the input; a source that is lost later is waited for, and the client is told.
    func open() async throws -> VideoReader.AsyncFrames {
        try await VideoReader.read(input, limits: limits) { [session] state in
            switch state {
            case .connecting: session.tell(.connecting)
            case .reconnecting(let reason): session.tell(.reconnecting(reason))
            // What the next frame shows says more.
            case .live: break
            }
        }
    }

    /// Offers every frame when its time has come; those that are overtaken meanwhile are dropped.
    func play(_ frames: VideoReader.AsyncFrames) async throws {
        let begin = ContinuousClock.now
        var sequence: UInt32 = 0
        for try await element in frames {
            if !frames.isLive {
                let due = begin + .seconds(element.feature.time)
                if due > .now { try await Task.sleep(until: due, clock: .continuous) }
            }
            guard session.endingReason == nil else { return }
            session.offer(LiveFrame(sequence: sequence, arrival: .now, content: .video(element.feature)))
            sequence &+= 1
        }
    }
}
