import Foundation
package import KinemaCore

/// A table: frame, time, person, confidence, box, then x, y and confidence of every joint, origin at the lower left.
package struct CSVExport: PoseExport {
    package static let joints = BodySkeleton.withFeet

    package static var header: String {
        (["frame", "time", "id", "confidence", "x", "y", "width", "height"]
            + joints.flatMap { ["\($0.rawValue).x", "\($0.rawValue).y", "\($0.rawValue).confidence"] })
            .joined(separator: ",")
    }

    private let url: URL
    private var text = Array((Self.header + "\n").utf8)

    init(url: URL) { self.url = url }

    package mutating func add(_ frame: ExportedFrame) { text += Self.rows(frame) }

    package consuming func finish() throws { try AtomicFile.write(text, to: url) }

    package static func rows(_ frame: ExportedFrame) -> [UInt8] {
        frame.poses.flatMap { pose -> [UInt8] in
            // A CSV row is a JSON array without its brackets.
            var line = JSONText()
            line.integer(frame.index)
            line.number(frame.time, decimals: 6)
            if let id = pose.id { line.integer(id) } else { line.null() }
            line.number(Double(pose.confidence), decimals: 4)
            let box = pose.boundingBox() ?? .zero
            for value in [box.minX, box.minY, box.width, box.height] { line.number(value) }
            for joint in joints.map({ pose.keypoints[$0] }) {
                line.number(joint.map { Double($0.location.x) } ?? .nan)
                line.number(joint.map { Double($0.location.y) } ?? .nan)
                line.number(Double(joint?.confidence ?? 0), decimals: 3)
            }
            line.newline()
            // Tables leave missing cells empty.
            return Array(String(decoding: line.bytes, as: UTF8.self).replacing("null", with: "").utf8)
        }
    }
}
