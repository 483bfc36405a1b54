import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import KinemaVN
import Testing

@testable import PortingSamples

/// Code with the rarer names of Apple's media frameworks, with nothing but the import changed.
struct CapturePatternTests {
    private static let settings = SynthScene.Settings(width: 640, height: 480, frameRate: FrameRate(timescale: 15))
    private let squat = SynthScene.exercise(.squat, repetitions: 1, seed: 3, view: .front, settings: settings)

    /// A picture of one colour with a rectangle of another; columns and rows count from the upper left.
    private func picture(
        _ width: Int, _ height: Int, grey: UInt8, patch: (x: Range<Int>, y: Range<Int>, grey: UInt8)? = nil
    ) -> Bitmap {
        var picture = Bitmap(width: width, height: height, red: grey, green: grey, blue: grey)
        for y in patch?.y ?? 0..<0 {
            for x in patch?.x ?? 0..<0 {
                for channel in 0..<3 { picture.pixels[(y * width + x) * 4 + channel] = patch?.grey ?? 0 }
            }
        }
        return picture
    }

    @Test func `samples are read at their address, row by row`() throws {
        #expect(videoSettings(prefersFullRange: true)["PixelFormatType"] as? Int == 0x3432_3066)
        let frame = CIImage(cgImage: picture(64, 48, grey: 51, patch: (0..<32, 0..<48, 153)))
        #expect(CVPixelBufferGetBaseAddress(frame) == nil && CVPixelBufferUnlockBaseAddress(frame, []) != 0)
        #expect(abs(try #require(brightness(of: frame)) - 0.4) < 0.01)
        #expect(CVPixelBufferGetDataSize(frame) == 64 * 48 * 4 && CVPixelBufferGetPlaneCount(frame) == 0)
    }

    @Test func `a created buffer shows what is written to it`() throws {
        let source = CIImage(cgImage: picture(40, 30, grey: 10, patch: (5..<25, 5..<25, 200)))
        let copy = try #require(copied(source))
        #expect(try copy.bitmap() == source.bitmap())
        let base = try #require(CVPixelBufferGetBaseAddress(copy)).assumingMemoryBound(to: UInt8.self)
        base[0] = 77
        #expect(try copy.bitmap().pixels[0] == 77 && source.bitmap().pixels[0] == 10)
        var none: CVPixelBuffer?
        #expect(CVPixelBufferCreate(nil, 8, 8, kCVPixelFormatType_24RGB, nil, &none) == kCVReturnInvalidPixelFormat)
        #expect(CVPixelBufferCreate(nil, 0, 8, kCVPixelFormatType_32BGRA, nil, &none) != 0 && none == nil)
        #expect(CVPixelBufferCreate(nil, 8, 8, kCVPixelFormatType_OneComponent8, nil, &none) == 0)
        #expect(try CVPixelBufferGetBytesPerRow(#require(none)) == 8)
    }

    @Test func `pictures are cropped and laid over each other`() throws {
        let frame = CIImage(cgImage: picture(100, 80, grey: 0, patch: (50..<100, 0..<40, 255)))
        let part = try #require(portrait(of: frame, around: CGRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)))
        #expect(part.width == 50 && part.height == 40 && part.pixels.allSatisfy { $0 == 255 })
        let over = CIImage(cgImage: picture(10, 10, grey: 255)).composited(
            over: CIImage(cgImage: picture(20, 30, grey: 9)))
        let whole = try over.bitmap()
        #expect(over.extent.size == CGSize(width: 20, height: 30))
        #expect(whole.pixels[0] == 9 && whole.pixels[29 * 20 * 4] == 255 && whole.pixels[29 * 20 * 4 + 15 * 4] == 9)
    }

    @Test func `contours and requests are compared and kept in sets`() throws {
        let finder = BoardFinder()
        try finder.find(in: CIImage(cgImage: picture(200, 120, grey: 240, patch: (40..<160, 30..<90, 20))))
        let board = try #require(finder.boardContour)
        #expect(board == board && !finder.others.contains(board))
        let queue = RequestQueue()
        let request = VNDetectContoursRequest()
        #expect(queue.add(request) && !queue.add(request) && queue.add(VNDetectContoursRequest()))
        #expect(try queue.runs { if case .cpu = $0 { true } else { false } })
        #expect(VNCircle(center: .zero, radius: 1) == VNCircle(center: .zero, radius: 1))
    }

    @Test func `a turned picture is registered by its angle`() throws {
        let picture = squat.bitmap(at: 2)
        let angle = 0.03
        let turned = CIImage(cgImage: picture).transformed(by: CGAffineTransform(rotationAngle: angle))
        let middle = try turned.bitmap().part(
            x: (turned.width - 600) / 2, y: (turned.height - 440) / 2, width: 600, height: 440)
        let upright = picture.part(x: 20, y: 20, width: 600, height: 440)
        let found = try #require(try turn(from: upright, to: middle))
        #expect(abs(Double(found) - angle) < 0.01, "\(found)")
        #expect(try turn(from: upright, to: picture) == nil)
        let part = VNHomographicImageRegistrationRequest(targetedCGImage: upright)
        part.regionOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 1)
        #expect(throws: VNError.self) { try VNImageRequestHandler(cgImage: middle).perform([part]) }
    }

    @Test func `two people are cut out one by one`() throws {
        let pair = SynthScene.twoPeople(seed: 3, settings: Self.settings).bitmap(at: 4)
        let cut = try cutouts(of: pair)
        #expect(cut.count == 2)
        for one in cut {
            #expect(one.width < 640 && one.height <= 480)
            let bitmap = try one.bitmap()
            let shown = stride(from: 3, to: bitmap.pixels.count, by: 4).count { bitmap.pixels[$0] > 127 }
            #expect(Double(shown) > 0.1 * Double(one.width * one.height), "\(shown)")
        }
        let request = VNGeneratePersonInstanceMaskRequest()
        try VNImageRequestHandler(cgImage: pair).perform([request])
        let people = try #require(request.results?.first)
        #expect(Array(people.allInstances) == [1, 2])
        #expect(
            Set(try people.instanceMask.bitmap().pixels.enumerated().filter { $0.offset % 4 == 0 }.map(\.element)) == [
                0, 1, 2,
            ])
        #expect(throws: VNError.self) { try people.generateMask(forInstances: [3]) }
    }

    @Test func `a path grows by the newest of five projected points, and silence is silence`() throws {
        let scene = SynthScene.throwing(seed: 10, size: (640, 360))
        let path = BallPath(length: 7)
        for index in 0..<scene.frameCount { try path.process(scene.videoFrame(index)) }
        let truth = scene.flightTruth()
        #expect(!path.paths.isEmpty && path.paths.count <= truth.count)
        #expect(path.paths.values.allSatisfy { $0.count >= 5 && $0.first?.x != $0.last?.x })
        let last = try #require(truth.map(\.end).max())
        // From the end of the last flight nothing is seen, and so before the first.
        let first = try #require(truth.map(\.start).min())
        let quiet = max(first, Double(scene.frameCount) / 30 - last)
        #expect(Double(path.longestSilence) / 30 > 0.8 * quiet, "\(path.longestSilence) \(quiet)")
    }

    @Test(
        .enabled(if: SharedData.isPresent, "the recordings are absent"),
        arguments: Sweep.of(
            [("freethrow_yard", 66), ("football_juggling", 162)], or: [("freethrow_yard", 66)]))
    func `a recording is silent where nothing flies`(name: String, frames: Int) async throws {
        let path = BallPath(length: 7)
        for try await frame in try await VideoReader.read(contentsOf: SharedData.file("throws/\(name).mp4")) {
            try path.process(frame.feature)
        }
        #expect(
            path.longestSilence >= frames && path.paths.isEmpty == (name == "football_juggling"),
            "\(path.longestSilence)")
    }

    @Test func `joints outside the picture have confidence 0`() throws {
        // The legs are cut off.
        let whole = squat.bitmap(at: 4)
        let truth = squat.truth().people[0].frames[4]
        let knee = try #require(truth.keypoints["leftKnee"])
        let rows = Int((1 - knee.y) * 480) - 20
        let request = VNDetectHumanBodyPoseRequest()
        try VNImageRequestHandler(cgImage: whole.part(x: 0, y: 0, width: 640, height: rows)).perform([request])
        let body = try #require(request.results?.first)
        let found = try foundJoints(of: body)
        #expect(found[.leftAnkle] == nil && found[.rightAnkle] == nil && found[.nose] != nil)
        #expect(try body.recognizedPoint(.leftAnkle).confidence == 0 && body.recognizedPoints(.all).count == 19)
        #expect(found.values.allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) })
        #expect(HumanBodyPoseObservation(body).joint(for: .leftAnkle) == nil)
    }

    @Test func `boxes of any kind are framed`() async throws {
        let people = try await DetectHumanRectanglesRequest().perform(on: squat.bitmap(at: 4))
        let found = frames(of: people, in: CGSize(width: 640, height: 480))
        #expect(found.count == 1 && found[0].height > 100 && found[0].minY >= 0)
    }

    @Test func `a processor streams the results of a film, all or every nth`() async throws {
        let folder = try TemporaryFolder()
        let film = folder.file("squat.mp4")
        try RenderedVideo.write(squat, to: film)
        let counts = try await occupied(in: film, every: 5)
        #expect(counts.frames == (squat.frameCount + 4) / 5 && counts.occupied >= counts.frames - 1)
        #expect(try await flights(in: film, from: 0.5, seconds: 1) == 0)
        await #expect(throws: KinemaError.self) { try await occupied(in: folder.file("none.mp4"), every: 1) }
    }

    @Test func `two pictures are compared, masks are read by pointer, errors are Vision's`() async throws {
        let picture = squat.bitmap(at: 2)
        let moved = try await shift(
            from: picture.part(x: 0, y: 0, width: 600, height: 400),
            to: picture.part(x: 6, y: 3, width: 600, height: 400))
        let vector = try #require(moved)
        #expect(abs(vector.dx + 6) < 0.3 && abs(vector.dy - 3) < 0.3, "\(vector)")
        let share = try await coverage(of: picture)
        #expect(share > 0.02 && share < 0.6, "\(share)")
        #expect(await problem(with: URL(filePath: "/nowhere.png"))?.contains("/nowhere.png") == true)
    }

    @Test func `times, turns and features have their names`() throws {
        let second = CMTime(value: 30, timescale: 30)
        #expect(CMTimeMultiply(second, multiplier: 3).seconds == 3 && second.flags == .valid && second.epoch == 0)
        #expect(CMTime.indefinite.flags.contains(.indefinite) && CMTime.invalid.flags.isEmpty)
        #expect(CMTimeConvertScale(second, timescale: 600, method: .default).value == 600)
        #expect(CMTimeRange.zero.isEmpty && !CMTimeRange.invalid.isValid && CMTime.negativeInfinity < .zero)
        var steady = SteadyPoint()
        _ = steady.update(simd_float2(0, 0), weight: 0.5)
        #expect(steady.update(simd_float2(2, 4), weight: 0.25) == simd_float2(0.5, 1))
        let turn = rotation(of: simd_float3(0, 2, 0), atRest: simd_float3(1, 0, 0))
        #expect(
            abs(turn.angle - .pi / 2) < 1e-5
                && simd_distance(turn.act(simd_float3(1, 0, 0)), simd_float3(0, 1, 0)) < 1e-6)
        let half = simd_slerp(simd_quatf(angle: 0, axis: simd_float3(0, 0, 1)), turn, 0.5)
        #expect(abs(half.angle - .pi / 4) < 1e-5)
        let matrix = simd_float3x3(turn)
        #expect(
            abs(matrix.determinant - 1) < 1e-6
                && simd_distance((matrix * matrix.inverse)[0], simd_float3(1, 0, 0)) < 1e-6)
        let input = PoseWindowInput(poses: try MLMultiArray(shape: [60, 3, 18], dataType: .float32))
        #expect(input.featureValue(for: "poses")?.multiArrayValue?.shape == [60, 3, 18])
        #expect(input.featureValue(for: "label") == nil)
        #expect(throws: KinemaError.self) { try MLDictionaryFeatureProvider(dictionary: ["a": Date()]) }
    }
}
