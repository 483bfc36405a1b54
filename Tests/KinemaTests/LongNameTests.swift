@testable import KinemaFormats
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import Kinema

/// Names of recordings that leave no room in a file's name.
struct LongNameTests {
    @Test(arguments: [PoseExportFormat.coco, .csv, .openpose])
    func `an export of a recording with a long name has a shorter one`(
        format: PoseExportFormat
    ) throws {
        let stem = String(repeating: "走", count: 90)
        let lines = Data(MeasuredFigure.walking().lines(1).utf8)
        let file = try ExportedFile.poses(PoseLinesReader.frames(lines, file: "walk"), as: format, stem: stem)
        #expect(!file.bytes.isEmpty && file.name.utf8.count < 200 && file.name.hasPrefix("走走"), "\(file.name)")
    }
}
