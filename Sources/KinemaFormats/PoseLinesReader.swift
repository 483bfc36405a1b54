import KinemaMotion
import Foundation
package import KinemaCore

/// Reads the JSON Lines of `kinema pose` line by line: people and hands, with their joints in the picture and in space.
package struct PoseLinesReader<Bytes: Collection<UInt8>> {
    private var lines: ByteLines<Bytes>
    private let limits: PoseFileLimits
    private let file: String
    private let decoder = JSONDecoder()
    private var (count, last) = (0, -Double.infinity)

    /// Reads bytes in memory; `file` is the name in errors.
    package init(_ bytes: Bytes, _ limits: PoseFileLimits = PoseFileLimits(), file: String) {
        (lines, self.limits, self.file) = (ByteLines(bytes), limits, file)
    }

    /// Whether lines come from `kinema pose`, even if damaged, rather than from a program whose people or rows can be read.
    static func areLines(_ bytes: Bytes) -> Bool {
        var lines = ByteLines(bytes)
        guard let (_, line) = lines.next() else { return true }
        if (try? JSONDecoder().decode(PoseLine.self, from: Data(line))) != nil { return true }
        return !RecordReader.isRecord(line) && !JSONTable.isRow(line)
    }

    /// The frames, numbered from 0; the size is 0 by 0 if the lines have none. Throws as `next()` does.
    package static func frames(
        _ bytes: Bytes, _ limits: PoseFileLimits = PoseFileLimits(), file: String
    ) throws(KinemaError) -> [ExportedFrame] {
        var reader = PoseLinesReader(bytes, limits, file: file)
        var frames: [ExportedFrame] = []
        while let frame = try reader.next() { frames.append(frame) }
        return frames
    }

    /// The next frame, numbered from 0; nil after the last.
    ///
    /// Throws `unreadableInput` naming the line that is malformed, out of order or has invalid numbers.
    package mutating func next() throws(KinemaError) -> ExportedFrame? {
        guard let (number, text) = lines.next() else { return nil }
        func lineError(_ what: String) -> KinemaError {
            KinemaError(.unreadableInput, "line \(number) \(what)", file: file)
        }
        guard count < limits.frames else {
            throw KinemaError(.unreadableInput, "has more than \(limits.frames) frames; split it", file: file)
        }
        guard text.count <= limits.lineBytes else { throw lineError("is longer than \(limits.lineBytes >> 20) MB") }
        guard let line = try? decoder.decode(PoseLine.self, from: Data(text)) else {
            throw lineError("is not a line of kinema pose --format jsonl, or is cut short")
        }
        if let reason = line.problem(after: last, limits) { throw lineError(reason) }
        defer { (count, last) = (count + 1, line.time) }
        return ExportedFrame(
            index: count, time: line.time, width: line.width ?? 0, height: line.height ?? 0,
            poses: line.people.map { figure in
                var pose = figure.pose
                pose.cameraMotion = line.motion
                return pose
            },
            hands: (line.hands ?? []).map { HumanHandPoseObservation($0.pose, chirality: $0.chirality) })
    }
}

extension PoseLinesReader: Sendable where Bytes: Sendable, Bytes.SubSequence: Sendable {}

private struct PoseLine: Decodable {
    struct Figure: Decodable {
        var id, shot: Int?
        var held: Bool?
        var chirality: HumanHandPoseObservation.Chirality?
        var confidence: Float?
        var keypoints: [String: [Double]]
        var keypoints3D: [String: [Double]]?
    }

    var time: Double
    var width, height: Int?
    var people: [Figure]
    var hands: [Figure]?
    /// The background's motion since the first frame: scale times cosine and sine of the rotation, and the shift.
    var camera: [Double]?

    var motion: SimilarityTransform? {
        guard let camera, camera.count == 4 else { return nil }
        return SimilarityTransform(linear: SIMD2(camera[0], camera[1]), shift: SIMD2(camera[2], camera[3]))
    }

    func problem(after last: TimeInterval, _ limits: PoseFileLimits) -> String? {
        guard TimeGrid.isValid(time) else { return "has the time \(time), which is not a time in seconds" }
        guard time > last else { return "has the time \(time) s, which is not after \(last) s before it" }
        for side in [width, height].compactMap(\.self) where !(0...limits.side).contains(side) {
            return "has a frame of \(width ?? 0) by \(height ?? 0) pixels"
        }
        if let camera, camera.count != 4 || camera.contains(where: { abs($0) > Double(PoseSequence.maximumCoordinate) })
        {
            return "has a camera that is not four numbers"
        }
        for figure in people + (hands ?? []) {
            for values in [figure.keypoints, figure.keypoints3D ?? [:]].lazy.flatMap(\.values) {
                if let value = values.first(where: { abs($0) > Double(PoseSequence.maximumCoordinate) }) {
                    return "has the number \(value), which is not a position"
                }
            }
        }
        return nil
    }
}

extension PoseLine.Figure {
    fileprivate var pose: Pose {
        var joints: [JointKey: JointPoint] = [:]
        for (name, values) in keypoints where values.count == 3 {
            let key = JointKey(rawValue: name)
            joints[key] = JointPoint(key, location: CGPoint(x: values[0], y: values[1]), confidence: Float(values[2]))
        }
        var space: [JointKey: JointPoint3D] = [:]
        for (name, values) in keypoints3D ?? [:] where values.count == 4 {
            let key = JointKey(rawValue: name)
            space[key] = JointPoint3D(
                key, position: SIMD3(Float(values[0]), Float(values[1]), Float(values[2])),
                confidence: Float(values[3]))
        }
        var pose = Pose(from: joints, keypoints3D: space, id: id, confidence: confidence ?? 1)
        pose.shot = shot
        pose.isHeld = held ?? false
        return pose
    }
}
