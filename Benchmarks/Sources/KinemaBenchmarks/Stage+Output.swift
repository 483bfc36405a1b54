@testable import KinemaFormats
@testable import Kinema
@testable import KinemaCore

extension Stage {
    static let output = [json]

    /// The line that `kinema pose --format jsonl` writes.
    private static let json = Stage(name: "JSON", unit: "a frame of one person", operations: Fixtures.minute) {
        let frames = Fixtures.minuteOfPoses().enumerated().map { index, found in
            ExportedFrame(index: index, time: found.time, width: 1280, height: 720, poses: [found.pose])
        }
        return {
            frames.reduce(0) { bytes, frame in
                var json = JSONText()
                json.frame(frame)
                json.newline()
                return bytes + json.bytes.count
            }
        }
    }
}
