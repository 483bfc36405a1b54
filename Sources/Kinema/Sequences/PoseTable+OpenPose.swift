import Foundation
import KinemaCore

extension PoseTable {
    /// Reads a folder of OpenPose's files, one per frame, named by frame number: `NAME_000000000000_keypoints.json`.
    static func openPose(_ folder: URL, _ limits: PoseFileLimits) throws(KinemaError) -> PoseTable {
        var reader = RecordReader(limits, file: folder.path)
        try FrameFiles.forEach(in: folder, limits, isOpenPose) { (number, file, bytes) throws(KinemaError) in
            guard try reader.add(bytes[...], isLine: true, number: number) else {
                throw KinemaError(.unreadableInput, "is not an OpenPose file, or is cut short", file: file.path)
            }
        }
        return try reader.whole(of: .body25)
    }

    static func isOpenPose(_ folder: URL) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.contains(where: isOpenPose) ?? false
    }

    private static func isOpenPose(_ name: String) -> Bool { name.hasSuffix("_keypoints.json") && !name.hasPrefix(".") }
}
