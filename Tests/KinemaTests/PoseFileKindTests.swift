@testable import KinemaFormats
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import Kinema

/// How files are recognised, those that are cut off, and those beyond the limits.
struct PoseFileKindTests: PoseFormatSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func line(_ time: Double) -> String {
        "{\"frame\":0,\"time\":\(time),\"people\":[{\"id\":1,\"keypoints\":{\"neck\":[0.5,0.25,0.75]}}]}"
    }

    @Test func `a text that was cut off is read to there, and it is said`() async throws {
        let text = (0..<6).map { line(Double($0) / 10) }.joined(separator: "\n")
        let row = StandingFigure.row(.coco17, third: 0.9).map { "\($0)" }.joined(separator: ",")
        let table = "\(row)\n\(row)\n\(row)"
        let packed = Gzip.pack(Array((0..<4000).map { line(Double($0) / 10) + "\n" }.joined().utf8))
        for (name, bytes, count) in [
            ("t.jsonl", Array(text.utf8.dropLast(20)), 5), ("t.csv", Array(table.utf8.dropLast(50)), 2),
            ("t.jsonl.gz", Array(packed.dropLast(packed.count / 2)), nil),
        ] {
            let read = try await read(try write(name, bytes))
            #expect(
                count == nil ? read.frames.count > 100 : read.frames.count == count, "\(name): \(read.frames.count)")
            #expect(read.findings.map(\.code) == ["input.truncated"], "\(name)")
        }
        let whole = try await read(try write("t.jsonl", text.utf8))
        #expect(whole.frames.count == 6 && whole.findings.isEmpty)
    }

    @Test(arguments: ["poses", "poses.txt", "poses.bin", "poses.json", "poses.npy"])
    func `a file is known by what it holds`(name: String) async throws {
        let text = line(0) + "\n" + line(1) + "\n"
        let array = NumpyFile.bytes(StandingFigure.row(.coco17), shape: [1, 17, 2])
        #expect(try await read(try write(name, text.utf8)).frames.count == 2)
        #expect(try await read(try write(name, Gzip.pack(Array(text.utf8)))).frames.count == 2)
        #expect(try await read(try write(name, array)).frames.count == 1)
    }

    @Test(arguments: [
        "RIFF????WEBPVP8 ", "hello, world\n", "1,2,3\n4,5,6\n", "#EXTM3U\n", "", "\u{0}\u{0}\u{0} ftypisom",
    ])
    func `what is no file of poses is not taken for one`(text: String) throws {
        #expect(!PoseSequenceReader.isSequence(try write("file.dat", text.utf8)))
    }

    @Test(arguments: ["csv", "json", "npy", "trc", "csv.gz"])
    func `a name does not make poses of a page, a document or a video`(ending: String) throws {
        for head in ["<!DOCTYPE html>\n<html>", "%PDF-1.7\n", "SQLite format 3\0", "\0\0\0\u{18}ftypisom"] {
            #expect(!PoseSequenceReader.isSequence(try write("sign-in." + ending, head.utf8)), "\(head)")
        }
        // What is damaged is still what its name says, so that the message is about that.
        #expect(PoseSequenceReader.isSequence(try write("damaged." + ending, "no poses\n".utf8)))
        #expect(PoseSequenceReader.isSequence(folder.file("absent." + ending)))
    }

    @Test func `an archive beyond the limits is refused`() throws {
        var huge = ZipArchive()
        let zeros = [UInt8](
            NumpyFile.bytes([Double](repeating: 0, count: 20_000 * 51), shape: [20_000, 17, 3], .float64))
        for name in 0..<3 { try huge.add(zeros, name: "\(name).npy") }
        var many = ZipArchive()
        for name in 0..<1001 { try many.add([1], name: "\(name).npy") }
        var small = PoseFileLimits()
        (small.bytes, small.ratio, small.ratioExemptBytes) = (20 << 20, 100, 1 << 20)
        for (bytes, words) in [(huge.finish(), "times its size"), (many.finish(), "is damaged")] {
            expectRefusal(of: try write("t.npz", bytes), words, limits: small)
        }
    }

    @Test func `a table whose rows name too many joints is refused`() throws {
        let rows = (0..<601).map { "0,\($0),0.5,0.5" }.joined(separator: "\n")
        let url = try write("t.csv", "frame,landmark,x,y\n\(rows)\n".utf8)
        expectRefusal(of: url, "names more than 600 joints")
    }

    @Test(.enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"))
    func `files that strangers came with are read or refused for what they are`() async throws {
        for (name, frames) in [("ultralytics.jsonl", 3), ("decimal_comma.csv", 59), ("cut.jsonl", 29)] {
            let read = try await read(SharedData.file("mend/\(name)"))
            #expect(
                read.frames.count == frames && read.frames.allSatisfy { !$0.poses.isEmpty },
                "\(name): \(read.frames.count)")
            #expect(read.findings.count == (name == "cut.jsonl" ? 1 : 0))
        }
        for name in ["h36m_mm.npy", "kinect25_m.npy"] {
            expectRefusal(of: SharedData.file("mend/\(name)"), "joints with x, y and a depth that lie")
        }
    }
}
