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
        lines.append(contentsOf: findings.line(count, picture))
    }
}

extension LiveFindings {
    /// The poses of a frame as a line of JSON with its end.
    func line(_ index: Int, _ picture: VideoFrame) -> [UInt8] {
        var json = JSONText()
        json.frame(
            ExportedFrame(
                index: index, time: picture.time, width: picture.width, height: picture.height, poses: poses,
                hands: hands))
        json.newline()
        return json.bytes
    }
}
