@testable import KinemaFormats
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import Kinema

/// What bare numbers mean, in arrays of any kind.
struct BareNumberTests: PoseFormatSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [JointOrder.human36M17, .kinect25, .cocoNeck18], [-0.4, 2.5, nil])
    func `joints in another order than their number suggests are refused`(order: JointOrder, third: Double?)
        async throws
    {
        // From the middle of the body, y up, in millimetres; or in the picture.
        let rows = (0..<20).flatMap { frame in
            StandingFigure.row(order, bend: Double(frame % 10) / 10, third: third.map { $0 + Double(frame) / 50 }) {
                third == nil ? $0 : [($0.x - 0.5) * 1800, (0.55 - $0.y) * 1800]
            }
        }
        let width = third == nil ? 2 : 3
        let url = try write("t.npy", NumpyFile.bytes(rows, shape: [20, order.count, width]))
        let error = await #expect(throws: KinemaError.self) { _ = try await read(url) }
        let message = try #require(error?.message)
        #expect(
            error?.code == .unreadableInput && message.hasPrefix("contains \(order.count) joints with x, y"),
            "\(message)")
        #expect(message.contains("and a depth") == (third != nil) && message.contains("columns name the joints"))
    }

    @Test(arguments: [JointOrder.coco17, .openPose18, .body25, .halpe26])
    func `a depth is ignored, and places are lengths with y upwards where they can be nothing else`(
        order: JointOrder
    ) async throws {
        let rows = (0..<20).flatMap { frame in
            StandingFigure.row(order, bend: Double(frame % 10) / 10, third: Double(frame % 3) - 1) {
                [($0.x - 0.5) * 1.8, (0.55 - $0.y) * 1.8]
            }
        }
        let (frames, note, _) = try await read(
            try write("t.npy", NumpyFile.bytes(rows, shape: [20, order.count, 3])))
        #expect(note.contains("\(order.count) joints read as \(order.owner)"), "\(note)")
        #expect(note.contains("x and y as lengths, y upwards"), "\(note)")
        #expect(note.contains("the third number as a depth, which is ignored"), "\(note)")
        for (index, frame) in frames.enumerated() {
            let pose = try #require(frame.poses.first)
            let (nose, ankle) = (pose.keypoints[.nose]?.location, pose.keypoints[.leftAnkle]?.location)
            let height = try #require(nose).y - (try #require(ankle).y)
            let across = try #require(ankle).x - (try #require(nose).x)
            // Proportions are kept: the ankle lies 0.055 beside the nose.
            let ratio = Double(frame.frame.width) / Double(frame.frame.height)
            #expect(abs(across * ratio / height - 0.055 / (0.8 - 0.15 * Double(index % 10) / 10)) < 2e-3)
            #expect(pose.keypoints.values.allSatisfy { $0.confidence == 1 && (0...1).contains($0.location.y) })
        }
    }

    @Test(arguments: [
        (JointOrder.coco17, 0.0, 1.0, "confidence"), (.coco17, 0.4, 1.2, "confidence"), (.coco17, -0.1, 0.9, "depth"),
        (.coco17, 1.8, 2.6, "depth"), (.coco17, 1800, 2600, "depth"), (.body25, 1.2, 1.9, "depth"),
        (.openPose18, 0, 1, "confidence"), (.halpe26, -2, 2, "depth"), (.blazePose33, 0, 1.2, "depth"),
    ])
    func `a third number is a confidence where it can be one`(
        order: JointOrder, least: Double, greatest: Double, words: String
    ) async throws {
        var row = StandingFigure.row(order, third: 0)
        for joint in 0..<order.count {
            let share = Double(joint) / Double(order.count - 1)
            // Most scores are good ones.
            let place = words == "confidence" ? share * share : share
            row[joint * 3 + 2] = least + (greatest - least) * place
        }
        let rows = row + row + row + row
        let read = try await read(try write("t.npy", NumpyFile.bytes(rows, shape: [4, order.count, 3])))
        #expect(read.note.contains("the third number as \(words == "depth" ? "a" : "the") \(words)"), "\(read.note)")
        let confidences = Set(read.frames[0].poses[0].keypoints.values.map(\.confidence))
        #expect((confidences == [1]) == (words == "depth"))
    }

    @Test func `a hand's depth is no confidence`() async throws {
        var row: [Double] = []
        for joint in 0..<21 {
            let step = Double(joint) / 100
            row += [0.3 + step, 0.4 + 2 * step, -step]
        }
        let read = try await read(try write("t.npy", NumpyFile.bytes(row + row, shape: [2, 21, 3])), of: .hand)
        #expect(read.frames[0].hands.first?.pose.keypoints.count == 21 && read.note.contains("a depth"), "\(read.note)")
    }

    @Test func `a joint that a detector moved to the corner was not seen`() async throws {
        var row = StandingFigure.row(.coco17, third: 0.9)
        row.replaceSubrange(27..<30, with: [0, 0, 0.3])
        let read = try await read(try write("t.npy", NumpyFile.bytes(row, shape: [1, 17, 3])))
        #expect(read.frames[0].poses[0].keypoints[.leftWrist] == nil)
        try expectFigure(read.frames[0].poses.first)
    }

    @Test func `whole numbers of 16 bits are pixels unless they reach far beyond any picture`() async throws {
        let pixels = StandingFigure.row(.coco17) { [($0.x * 1600).rounded(), ($0.y * 900).rounded()] }
        let read = try await read(
            try write("t.npy", NumpyFile.bytes(pixels.map { $0 / 65535 }, shape: [1, 17, 2], .uint16)))
        #expect(read.note.contains("x and y as pixels"), "\(read.note)")
    }

    @Test(arguments: NumpyFile.Element.allCases, [(false, false), (true, false), (false, true), (true, true)])
    func `arrays of any number are read in either order of axes and of bytes`(
        element: NumpyFile.Element, layout: (isFortran: Bool, isBigEndian: Bool)
    ) async throws {
        let isShare = [.float16, .float32, .float64, .uint8, .uint16].contains(element)
        let side = isShare ? 1.0 : 100
        let rows = (0..<3).flatMap {
            StandingFigure.row(.coco17, bend: Double($0) / 2) { ($0 * side).rounded(isShare) }
        }
        let bytes = NumpyFile.bytes(
            rows, shape: [3, 17, 2], element, isFortran: layout.isFortran, isBigEndian: layout.isBigEndian)
        let read = try await read(try write("t.npy", bytes))
        #expect(read.frames.count == 3)
        for (index, frame) in read.frames.enumerated() where isShare {
            try expectFigure(frame.poses.first, bend: Double(index) / 2, within: 6e-3)
        }
        let nose = read.frames.compactMap { $0.poses.first?.keypoints[.nose]?.location.y }
        #expect(nose.count == 3 && nose[0] > nose[1] && nose[1] > nose[2])
    }

    @Test func `an archive of one array of joints is read, whatever else is in it`() async throws {
        let array = [UInt8](
            NumpyFile.bytes(StandingFigure.row(.body25, third: 0.9), shape: [1, 25, 3], isFortran: true))
        var zip = ZipArchive()
        try zip.add([UInt8](NumpyFile.bytes([30], shape: [1])), name: "fps.npy")
        try zip.add(array, name: "keypoints.npy")
        try expectFigure(try await read(try write("t.npz", zip.finish())).frames.first?.poses.first, joints: 20)
        zip = ZipArchive()
        for name in ["left.npy", "right.npy"] { try zip.add(array, name: name) }
        let two = zip.finish()
        var short = ZipArchive()
        try short.add([UInt8](NumpyFile.bytes([30], shape: [1])), name: "fps.npy")
        for (bytes, words) in [
            (two, "contains 2 arrays of joints: left, right"), (Array(two.dropLast(30)), "is damaged or cut short"),
            (short.finish(), "contains no array of joints: fps.npy"),
        ] {
            expectRefusal(of: try write("t.npz", bytes), words)
        }
    }

    @Test func `Halpe's joints have their names, also without confidences`() async throws {
        for third in [0.8, nil] {
            let width = third == nil ? 2 : 3
            let row = StandingFigure.row(.halpe26, third: third)
            let pose = try await read(try write("t.npy", NumpyFile.bytes(row + row, shape: [2, 26, width]))).frames[1]
                .poses[0]
            try expectFigure(pose, joints: 23)
            #expect(pose.keypoints[.leftHeel] != nil && pose.keypoints[.root] != nil)
        }
    }
}

extension SIMD2<Double> {
    fileprivate func rounded(_ isShare: Bool) -> Self { isShare ? self : rounded(.toNearestOrEven) }
}
