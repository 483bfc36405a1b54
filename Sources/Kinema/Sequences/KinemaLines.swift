import Foundation
import KinemaCore
import KinemaMotion

/// Kinema's own JSON Lines of `kinema pose`, read back: the most prominent person of each frame.
enum KinemaLines {
    /// Throws `unreadableInput` naming the line that cannot be understood.
    static func sequence(
        _ bytes: [UInt8], _ limits: PoseFileLimits, file: String
    ) throws(KinemaError) -> PoseSequence {
        var sequence = PoseSequence(.body)
        var selector = ProminentPersonSelector()
        try PoseLinesReader.each(bytes, limits, file: file) { frame in
            // Lines of before pictures' sizes were told have the shape of most videos.
            let ratio = frame.width > 0 ? Double(frame.width) / Double(max(1, frame.height)) : 16 / 9
            sequence.append(selector.select(frame.poses, at: frame.time), at: frame.time, aspectRatio: ratio)
        }
        return sequence
    }
}
