import Foundation
import Kinema

/// The poses of a session as JSON Lines, for the history.
struct PoseRecording: Sendable {
    /// The lines; nil when neither a body nor a hand was seen.
    var linesOfSomeone: Data? { hasSomeone ? lines : nil }

    private(set) var lines = Data()
    private var count = 0
    private var hasSomeone = false

    /// Bytes: about ten minutes of one person at 30 frames a second, 4 KB each.
    static let limit = 64 << 20

    /// Adds a frame's findings while there is room.
    mutating func add(_ findings: LiveFindings, _ picture: VideoFrame) {
        defer { count += 1 }
        guard lines.count < Self.limit else { return }
        if !findings.poses.isEmpty || !findings.hands.isEmpty { hasSomeone = true }
        var json = JSONText()
        json.frame(
            ExportedFrame(
                index: count, time: picture.time, width: picture.width, height: picture.height, poses: findings.poses,
                hands: findings.hands))
        json.newline()
        lines.append(contentsOf: json.bytes)
    }
}
