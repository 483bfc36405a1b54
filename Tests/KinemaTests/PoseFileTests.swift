import Foundation
import Kinema
import KinemaTestSupport
import Testing

/// Files of poses as frames for an analysis.
struct PoseFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The frames of a file with these bytes.
    private func frames(
        _ name: String, _ bytes: some Sequence<UInt8>, rate: Double = 10, aspect: AspectRatio? = nil
    ) async throws -> [TemporalFeature<PosedFrame>] {
        try Data(bytes).write(to: folder.file(name))
        let reader = PoseSequenceReader(rate: rate, aspect: aspect)
        var all: [TemporalFeature<PosedFrame>] = []
        for try await element in try reader.frames(contentsOf: folder.file(name)) { all.append(element) }
        return all
    }

    /// The point of a joint by its number in a file; y downwards.
    private func point(_ joint: Int) -> (x: Double, y: Double) {
        (0.2 + Double(joint) * 0.01, 0.1 + Double(joint) * 0.02)
    }

    /// A frame of points, with a third number for each if given.
    private func row(_ joints: Int, third: Double? = nil, scale: Double = 1) -> [Double] {
        (0..<joints).flatMap { [point($0).x * scale, point($0).y * scale] + [third].compactMap(\.self) }
    }

    /// Whether a joint lies where the file's joint of this number does.
    private func expect(
        _ pose: Pose?, _ key: JointKey, at number: Int, confidence: Float = 1, within tolerance: Double = 1e-5,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let joint = try #require(pose?.keypoints[key], "\(key.rawValue)", sourceLocation: sourceLocation)
        let (x, y) = point(number)
        #expect(
            abs(joint.location.x - x) < tolerance && abs(joint.location.y - (1 - y)) < tolerance,
            "\(key.rawValue): \(joint.location)", sourceLocation: sourceLocation)
        #expect(abs(joint.confidence - confidence) < 1e-3, sourceLocation: sourceLocation)
    }

    @Test(arguments: [NumpyFile.Element.uint8, .uint16, .float32, .float64])
    func `an array of the landmarks' places is a person upright in the picture`(element: NumpyFile.Element) async throws
    {
        let bytes = NumpyFile.bytes(row(33) + row(33), shape: [2, 33, 2], element)
        let frames = try await frames("t.npy", bytes, rate: 15)
        #expect(frames.map(\.feature.frame.time) == [0, 0.066667])
        #expect(frames.last?.id.rangeInSeconds.upperBound == 0.133333)
        #expect(frames.allSatisfy { $0.feature.frame.width == 16 && $0.feature.frame.height == 9 })
        let pose = frames[1].feature.poses.first
        #expect(frames.allSatisfy { $0.feature.poses.map(\.id) == [1] } && pose?.keypoints.count == 35)
        let tolerance = element == .uint8 ? 0.003 : 1e-5
        for (key, number) in [(JointKey.nose, 0), (.leftShoulder, 11), (.rightAnkle, 28), (.rightFootTip, 32)] {
            try expect(pose, key, at: number, within: tolerance)
        }
        // Halfway between 11 and 12, and between 23 and 24.
        let (neck, root) = (try #require(pose?.keypoints[.neck]), try #require(pose?.keypoints[.root]))
        #expect(abs(neck.location.x - 0.315) < tolerance && abs(root.location.y - 0.43) < tolerance)
    }

    @Test(arguments: [0.0, .nan]) func `a frame of zeros or of no numbers is nobody`(nothing: Double) async throws {
        for width in [2, 3] {
            let values = row(33, third: width == 3 ? 0.5 : nil)
            let empty = [Double](repeating: nothing, count: 33 * width)
            let frames = try await frames("t.npy", NumpyFile.bytes(empty + values + empty, shape: [3, 33, width]))
            #expect(frames.map(\.feature.poses.count) == [0, 1, 0], "\(width)")
        }
    }

    @Test func `a joint of no number is not seen, and the joints halfway to it neither`() async throws {
        var values = row(33)
        values[11 * 2] = .nan
        let frames = try await frames("t.npy", NumpyFile.bytes(values, shape: [1, 33, 2]))
        let pose = try #require(frames.first?.feature.poses.first)
        #expect(pose.keypoints[.leftShoulder] == nil && pose.keypoints[.neck] == nil && pose.keypoints.count == 33)
    }

    @Test func `a third number is a confidence where it can be one, else a depth`() async throws {
        let sure = try await frames("t.npy", NumpyFile.bytes(row(33, third: 0.25), shape: [1, 33, 3]))
        try expect(sure[0].feature.poses.first, .leftKnee, at: 25, confidence: 0.25)
        // One depth outside 0...1, or nothing but zeros, and none is a confidence.
        var deep = row(33, third: 0.25)
        deep[2] = -0.01
        for values in [deep, row(33, third: 0), row(33, third: 1.5)] {
            let nobody = [Double](repeating: 0, count: 99)
            let frames = try await frames("t.npy", NumpyFile.bytes(values + nobody, shape: [2, 33, 3]))
            try expect(frames[0].feature.poses.first, .leftKnee, at: 25, confidence: 1)
            #expect(frames[1].feature.poses.isEmpty)
        }
    }

    @Test func `the other programs' joints have their names`() async throws {
        let coco = try await frames("t.npy", NumpyFile.bytes(row(17, third: 0.5), shape: [1, 17, 3]))
        try expect(coco[0].feature.poses.first, .rightShoulder, at: 6, confidence: 0.5)
        try expect(coco[0].feature.poses.first, .leftAnkle, at: 15, confidence: 0.5)
        #expect(coco[0].feature.poses.first?.keypoints.count == 19)
        let openPose = try await frames("t.npy", NumpyFile.bytes(row(18, third: 0.5), shape: [1, 18, 3], .float64))
        try expect(openPose[0].feature.poses.first, .rightShoulder, at: 2, confidence: 0.5)
        try expect(openPose[0].feature.poses.first, .leftEar, at: 17, confidence: 0.5)
        let line = row(25, third: 0.5).map { "\($0)" }.joined(separator: ",")
        let body25 = try await frames("t.csv", "\(line)\n".utf8)
        try expect(body25[0].feature.poses.first, .root, at: 8, confidence: 0.5)
        try expect(body25[0].feature.poses.first, .rightHeel, at: 24, confidence: 0.5)
        // Of the two toes of a foot the big one is its tip.
        try expect(body25[0].feature.poses.first, .leftFootTip, at: 19, confidence: 0.5)
        let nested = (0..<17).map { "[\(point($0).x), \(point($0).y), 0.5]" }.joined(separator: ",")
        let json = try await frames("t.json", "[[\(nested)],[\(nested)]]".utf8)
        #expect(json.count == 2 && json[1].feature.poses == coco[0].feature.poses)
    }

    @Test func `pixels are places in the smallest picture of the shape that holds them`() async throws {
        let pixels = row(17, third: 1, scale: 1000)
        let square = try #require(AspectRatio(width: 1, height: 1))
        let frames = try await frames("t.npy", NumpyFile.bytes(pixels, shape: [1, 17, 3]), aspect: square)
        let pose = try #require(frames.first?.feature.poses.first)
        // The largest number is y of joint 16: 420 pixels.
        let ankle = try #require(pose.keypoints[.rightAnkle]?.location)
        #expect(abs(ankle.y) < 1e-6 && abs(ankle.x - 0.36 / 0.42) < 1e-5)
        #expect(frames.first?.feature.frame.width == 1)
    }

    @Test func `poses that fill the unit square in every frame are of square pictures`() async throws {
        /// A diagonal of joints from corner to corner, or nearly.
        func diagonal(to end: Double) -> [Double] {
            (0..<33).flatMap { [Double($0) / 32 * end, Double($0) / 32 * end] }
        }
        func shape(_ values: [Double], _ aspect: AspectRatio? = nil) async throws -> Double? {
            let bytes = NumpyFile.bytes(values, shape: [values.count / 66, 33, 2], .uint16)
            let frame = try await frames("t.npy", bytes, aspect: aspect).last?.feature.frame
            return frame.map { Double($0.width) / Double($0.height) }
        }
        let nobody = [Double](repeating: 0, count: 66)
        #expect(try await shape(diagonal(to: 1) + nobody + diagonal(to: 1)) == 1)
        #expect(try await shape(diagonal(to: 1) + diagonal(to: 0.99)) == 16.0 / 9)
        #expect(try await shape(nobody) == 16.0 / 9)
        #expect(try await shape(diagonal(to: 1), .usual) == 16.0 / 9)
    }

    private func line(_ time: String, _ more: String = "", ids: [Int] = [3, 7]) -> String {
        let people = ids.map {
            "{\"id\":\($0),\"shot\":2,\"held\":\($0 == 7),\"confidence\":0.5,\"keypoints\":{\"neck\":[0.5,0.25,0.75]}}"
        }
        return "{\"frame\":0,\"time\":\(time),\"people\":[\(people.joined(separator: ","))]\(more)}\n"
    }

    @Test(arguments: ["t.jsonl", "t.jsonl.gz"]) func `lines of our own keep everyone, their numbers and their times`(
        name: String
    ) async throws {
        let size = ",\"hands\":[],\"width\":640,\"height\":480"
        let text = line("0", size) + line("0.2", size, ids: []) + line("0.5", size, ids: [7])
        let bytes = name.hasSuffix(".gz") ? Gzip.pack(Array(text.utf8)) : Array(text.utf8)
        let frames = try await frames(name, bytes)
        #expect(frames.map { $0.feature.poses.compactMap(\.id) } == [[3, 7], [], [7]])
        #expect(frames.map(\.feature.frame.time) == [0, 0.2, 0.5])
        // The last frame lasts as long as the others do on average.
        #expect(frames.map(\.id.rangeInSeconds.upperBound) == [0.2, 0.5, 0.75])
        #expect(frames.allSatisfy { $0.feature.frame.width == 640 && $0.feature.frame.height == 480 })
        let pose = try #require(frames.first?.feature.poses.first)
        #expect(frames.map { $0.feature.poses.map(\.isHeld) } == [[false, true], [], [true]])
        #expect(pose.shot == 2 && pose.confidence == 0.5 && pose.keypoints[.neck]?.location == CGPoint(x: 0.5, y: 0.25))
    }

    @Test func `the shape of the picture is what was said, else what the lines say, else the usual one`() async throws {
        func ratio(_ more: String, _ aspect: AspectRatio? = nil) async throws -> Double? {
            let frame = try await frames("t.jsonl", line("0", more).utf8, aspect: aspect).first?.feature.frame
            return frame.map { Double($0.width) / Double($0.height) }
        }
        let size = ",\"width\":600,\"height\":800"
        #expect(try await ratio(size) == 0.75)
        #expect(try await ratio("") == 16.0 / 9)
        #expect(try await ratio(",\"width\":0,\"height\":0") == 16.0 / 9)
        let tall = try #require(AspectRatio(width: 1, height: 2))
        #expect(try await ratio(size, tall) == 0.5)
        #expect(try await ratio("", tall) == 0.5)
        for (width, height) in [(0, 1), (1, 0), (-1, -1), (65537, 1)] {
            #expect(AspectRatio(width: width, height: height) == nil)
        }
    }

    @Test func `times nearer than a tick stay apart, and a single frame lasts a second`() async throws {
        let near = try await frames("t.jsonl", (line("1") + line("1.0000001") + line("1.0000002")).utf8)
        #expect(near.map(\.id.range.lowerBound) == [1_000_000, 1_000_001, 1_000_002])
        #expect(near.map(\.id.range.count) == [1, 1, 1])
        let one = try await frames("t.jsonl", line("0").utf8)
        #expect(one.map(\.id.rangeInSeconds) == [0..<1])
    }

    @Test func `frames can be read again, and a frame without a picture is black`() async throws {
        try NumpyFile.bytes(row(33), shape: [1, 33, 2]).write(to: folder.file("t.npy"))
        let frames = try PoseSequenceReader().frames(contentsOf: folder.file("t.npy"))
        #expect(frames.count == 1 && frames.frameSize == CGSize(width: 16, height: 9))
        for _ in 0..<2 {
            var count = 0
            for try await element in frames {
                count += 1
                #expect(try element.feature.frame.bitmap() == Bitmap(width: 16, height: 9))
            }
            #expect(count == 1)
        }
    }

    @Test func `damage after the first line is reported when it is reached`() async throws {
        try Data((line("0") + line("1") + "{\"time\":2,\n").utf8).write(to: folder.file("t.jsonl"))
        var times: [Double] = []
        let error = await #expect(throws: KinemaError.self) {
            for try await element in try PoseSequenceReader().frames(contentsOf: folder.file("t.jsonl")) {
                times.append(element.feature.frame.time)
            }
        }
        #expect(error?.code == .unreadableInput && error?.message.hasPrefix("line 3 is not a line") == true)
        #expect(times == [0])
    }

    @Test(arguments: [
        (
            [4, 33],
            "has the shape [4, 33]; frames x 33, 26, 25, 18 or 17 x 3 or 2, or 33 x 4 of MediaPipe, can be read"
        ),
        ([1, 16, 3], "has the shape [1, 16, 3]"), ([2, 2, 17, 3], "has the shape [2, 2, 17, 3]"),
        ([1, 17, 4], "has the shape [1, 17, 4]"), ([0, 33, 2], "contains no frames"), ([9, 33, 2], "cut short"),
        ([0, 4_611_686_018_427_387_904, 4], "has the shape [0, 4611686018427387904, 4]"),
    ])
    func `an array of another shape is refused with what can be read`(shape: [Int], words: String) async throws {
        let numbers = [Double](repeating: 0.5, count: shape == [9, 33, 2] ? 1 : shape.reduce(1, *))
        let error = await #expect(throws: KinemaError.self) {
            _ = try await frames("t.npy", NumpyFile.bytes(numbers, shape: shape))
        }
        #expect(error?.code == .unreadableInput && error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func `numbers of another type and invalid positions are refused`() async throws {
        var complex = NumpyFile.bytes(row(33), shape: [1, 33, 2])
        let sign = try #require(complex.firstRange(of: Data("<f4".utf8)))
        complex.replaceSubrange(sign, with: Data("<c8".utf8))
        for (bytes, words) in [
            (complex, "does not contain floating point or whole numbers"),
            (NumpyFile.bytes(row(33, scale: 1e9), shape: [1, 33, 2]), "frame 0 has the number"),
            (Data("rubbish, and long enough".utf8), "is not a NumPy array"),
        ] {
            let error = await #expect(throws: KinemaError.self) { _ = try await frames("t.npy", bytes) }
            #expect(
                error?.code == .unreadableInput && error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test func `a classifier's sequence of MediaPipe's joints has the proportions of the picture`() throws {
        try NumpyFile.bytes(row(33), shape: [1, 33, 2]).write(to: folder.file("t.npy"))
        let wide = try #require(AspectRatio(width: 2, height: 1))
        let sequence = try PoseSequenceReader(aspect: wide).read(contentsOf: folder.file("t.npy"))
        let nose = point(0)
        #expect(sequence.points.prefix(3) == [Float(nose.x) * 2, -Float(nose.y), 1])
        // The neck, halfway between 11 and 12.
        #expect(abs(sequence.points[3] - 0.63) < 1e-5 && abs(sequence.points[4] + 0.33) < 1e-5)
    }
}
