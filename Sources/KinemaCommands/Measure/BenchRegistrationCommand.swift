import ArgumentParser
import Foundation
import Kinema
import KinemaCore

/// `kinema bench-registration`: what measuring the movement from frame to frame costs, decoding not counted.
struct BenchRegistrationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-registration", abstract: "Times the measuring of movement between frames.",
        shouldDisplay: false)

    @Argument(help: "A video file.")
    var input: String

    @Option(help: "How many frames are taken.")
    var frames = 200

    func run() async throws {
        let request = TrackTranslationalImageRegistrationRequest()
        var stability = SceneStability()
        var (seconds, count, least, verdicts) = (0.0, 0, Float(1), [SceneStability.Verdict]())
        for try await element in try await Reading(input).frames {
            var found: ImageTranslationAlignmentObservation?
            // Only this frame's own work, on one thread; decoders work on others at the same time.
            let thread = Self.threadTime()
            found = try await request.perform(on: element.feature)
            seconds += Self.threadTime() - thread
            count += 1
            if let found {
                least = min(least, found.confidence)
                verdicts.append(stability.update(found))
            }
            if count == frames { break }
        }
        var json = JSONText()
        json.object { json in
            json.key("frames")
            json.integer(count)
            json.key("CPUms")
            json.number(seconds / Double(max(1, count)) * 1000, decimals: 4)
            json.key("leastConfidence")
            json.number(Double(least), decimals: 4)
            json.key("stableShare")
            json.number(
                Double(verdicts.filter { $0 == .stable }.count) / Double(max(1, verdicts.count)), decimals: 4)
        }
        json.newline()
        try StandardOutput().write(json.bytes)
    }

    /// Seconds of processor time of the calling thread.
    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
