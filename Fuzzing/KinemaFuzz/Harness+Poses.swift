@testable import KinemaFormats
@testable import KinemaLearning
import Foundation
@testable import Kinema
import KinemaCore

/// Pose files and their compression.
extension Harness {
    private static let limits = {
        var limits = PoseFileLimits()
        (limits.bytes, limits.lineBytes, limits.frames) = (4 << 20, 1 << 16, 2000)
        limits.ratioExemptBytes = 1 << 20
        return limits
    }()

    /// JSON Lines of `kinema pose`: what was read can be written, and read again.
    static let poseLines = Harness(name: "pose-lines", maximumLength: 16384) {
        [Samples.lines(frames: 2), Samples.lines(frames: 1, hands: true), bytes("{\"time\":0,\"people\":[]}\n")]
    } body: { bytes in
        guard let frames = try? PoseLinesReader.frames(bytes, limits, file: "poses.jsonl") else { return }
        var text = JSONText()
        for frame in frames {
            text.frame(frame)
            text.newline()
        }
        let again = try? PoseLinesReader.frames(text.bytes, PoseFileLimits(), file: "poses.jsonl")
        // Times less than a microsecond apart are written alike.
        let isFine = zip(frames, frames.dropFirst()).allSatisfy { $1.time - $0.time > 2e-6 }
        expect(!isFine || again?.count == frames.count, "lines that were read can be written and read again")
    }

    /// Tables of joints.
    static let poseTables = Harness(name: "pose-tables", maximumLength: 8192) {
        [Samples.table(joints: 25, rows: 2), Samples.table(joints: 21, rows: 1), bytes("a,b\r\n1,2,3\r\n")]
    } body: {
        numbers(.table, $0)
    }

    /// NumPy arrays.
    static let poseArrays = Harness(name: "pose-arrays", maximumLength: 8192) {
        [
            Samples.array("<f4", [2, 33, 3], 4), Samples.array("<f8", [1, 25, 3], 8),
            Samples.array("|u1", [2, 17, 3], 1),
            Samples.array("<u2", [2, 21, 3], 2), Samples.array("<f4", [2, 33, 2], 4),
        ]
    } body: {
        numbers(.array, $0)
    }

    /// Nested lists.
    static let poseLists = Harness(name: "pose-lists", maximumLength: 8192) {
        [Samples.list(joints: 17, frames: 2), Samples.list(joints: 21, frames: 1), bytes("[[[1,2,3]]]")]
    } body: {
        numbers(.document, $0)
    }

    private static func numbers(_ kind: PoseFileKind, _ bytes: [UInt8]) {
        for subject in [ActionSubject.body, .hand] {
            guard
                var numbers = try? PoseNumbers(bytes, kind: kind, of: subject, limits: limits, file: kind.rawValue)
            else { continue }
            let size = numbers.picture(nil)
            expect(size.width > 0 && size.height > 0, "a picture has a size")
            while let row = try? numbers.next() {
                _ = row.pose(width: size.width, height: size.height)
                expect(row.joints(subject.joints, width: 1).count == subject.joints.count * 3, "a row has all joints")
            }
        }
    }

    /// Unpacked gzip data stays within the limit; packed data unpacks to the original.
    static let gzip = Harness(name: "gzip") {
        [
            Gzip.pack(bytes("poses")), Gzip.pack([UInt8](repeating: 0, count: 100_000)),
            Gzip.pack(Samples.lines(frames: 2)),
        ]
    } body: { bytes in
        if let plain = try? Gzip.unpack(bytes, limit: 1 << 20, ratio: 100, free: 1 << 16, file: "a.gz") {
            expect(plain.count <= 1 << 20, "unpacked data stays within the limit")
        }
        let again = try? Gzip.unpack(Gzip.pack(bytes), limit: bytes.count, file: "a.gz")
        expect(again == bytes, "packed data unpacks to the original")
    }

    /// Whole files by their names: the first byte chooses the kind, and whether a body or a hand is read.
    static let poseFiles = Harness(name: "pose-files", maximumLength: 8192) {
        [
            [0] + Samples.lines(frames: 3), [1] + Samples.table(joints: 25, rows: 3),
            [2] + Samples.array("<f4", [2, 33, 3], 4), [3] + Samples.list(joints: 17, frames: 2),
            [0] + Gzip.pack(Samples.lines(frames: 3)), [9] + Samples.table(joints: 21, rows: 2),
            [1] + Samples.namedTable, [3] + Samples.coco, [3] + Samples.results, [4] + Samples.markers,
            [5] + Samples.longTable, [6] + Samples.records, [6] + Samples.instances, [7] + Samples.archive,
            [2] + Samples.array(">f8", [1, 26, 2], 8),
            [1] + bytes("a,a,a,a,a,a,a\nb,nose,nose,lhip,lhip,rhip,rhip\nc,x,y,x,y,x,y\n0,1,2,3,4,5,6\n"),
            [3] + bytes("{\"nose_x\":{\"0\":1},\"nose_y\":{\"0\":1},\"x1\":{\"0\":1},\"y1\":{\"0\":1}}"),
            [3] + bytes("{\"0.jpg\":{\"bodies\":[{\"joints\":{\"nose\":[1,2],\"lhip\":[3,4],\"rhip\":[5,6]}}]}}"),
            [0]
                + bytes(
                    "{\"time\":{\"value\":1,\"timescale\":2},\"observations\":[{\"joints\":[{\"x\":1,\"y\":1}]}]}\n{}\n"
                ),
            [6] + [0xFF, 0xFE, 0x31, 0, 0x2C, 0, 0x32, 0],
        ]
    } body: { bytes in
        guard let choice = bytes.first else { return }
        let names = [
            "poses.jsonl", "poses.csv", "poses.npy.gz", "poses.json", "poses.trc", "poses.txt", "poses", "poses.npz",
        ]
        let name = names[Int(choice & 7)]
        let url = file(name, Array(bytes.dropFirst()))
        var reader = PoseSequenceReader(subject: choice & 8 == 0 ? .body : .hand)
        reader.limits = limits
        _ = try? reader.read(contentsOf: url)
        guard let frames = try? reader.frames(contentsOf: url) else { return }
        expect(frames.frameSize.width > 0 && frames.frameSize.height > 0, "a picture has a size")
        var (iterator, last) = (frames.makeAsyncIterator(), -1)
        while let moment = try? iterator.read() {
            expect(moment.tick > last, "times increase")
            last = moment.tick
        }
    }
}
