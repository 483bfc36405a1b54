import Foundation
import KinemaCore

extension PoseTable {
    private struct OpenPoseFrame: Decodable {
        struct Person: Decodable {
            var person_id: [Int]?
            var pose_keypoints_2d: [Float]
        }
        var people: [Person]
    }

    /// Reads a folder of OpenPose's files, one per frame, named by frame number: `NAME_000000000000_keypoints.json`.
    static func openPose(_ folder: URL, _ limits: PoseFileLimits) throws(KinemaError) -> PoseTable {
        func broken(_ what: String, _ file: String? = nil) -> KinemaError {
            KinemaError(.unreadableInput, what, file: file ?? folder.path)
        }
        let decoder = JSONDecoder()
        var frames: [(number: Int, people: [OpenPoseFrame.Person])] = []
        try FrameFiles.forEach(in: folder, limits, isOpenPose) { (number, file, bytes) throws(KinemaError) in
            guard let frame = try? decoder.decode(OpenPoseFrame.self, from: Data(bytes)) else {
                throw broken("is not an OpenPose file, or is cut short", file.path)
            }
            frames.append((number, frame.people.filter { !$0.pose_keypoints_2d.isEmpty }))
        }
        guard !frames.isEmpty else { throw broken("contains no files of OpenPose (NAME_000000000000_keypoints.json)") }
        // The first person determines the joints.
        let count = frames.lazy.flatMap(\.people).first?.pose_keypoints_2d.count ?? 75
        guard let order = JointOrder(joints: count / 3, of: .body), count % 3 == 0, order != .blazePose33 else {
            throw broken("has a person of \(count) numbers; x, y and confidence of 25, 18 or 17 joints can be read")
        }
        var table = PoseTable(order.keys, .pixels, order: order, hasRawThird: true, limits: limits, file: folder.path)
        for (index, frame) in frames.enumerated() {
            try table.append(Frame(number: frame.number))
            for person in frame.people {
                let values = person.pose_keypoints_2d
                guard values.count == count else {
                    throw broken(
                        "has a person of \(values.count) numbers in frame \(frame.number), and others of \(count)")
                }
                let points = stride(from: 0, to: count, by: 3).map {
                    SIMD3(values[$0], values[$0 + 1], values[$0 + 2])
                }
                let id = person.person_id?.first.flatMap { $0 < 0 ? nil : $0 }
                try table.append(points, id: id, to: index)
            }
        }
        return table
    }

    static func isOpenPose(_ folder: URL) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.contains(where: isOpenPose) ?? false
    }

    private static func isOpenPose(_ name: String) -> Bool { name.hasSuffix("_keypoints.json") && !name.hasPrefix(".") }
}
