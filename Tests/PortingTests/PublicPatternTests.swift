import Foundation
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import KinemaVN
import Testing

@testable import PortingSamples

/// The ways in which public apps use these frameworks, on rendered people whose movements are known.
struct PublicPatternTests {
    private let folder: TemporaryFolder
    private static let settings = SynthScene.Settings(width: 480, height: 360, frameRate: FrameRate(timescale: 15))

    init() throws { folder = try TemporaryFolder() }

    private func clip(_ scene: SynthScene) throws -> URL {
        let file = folder.file("clip.mp4")
        try RenderedVideo.write(scene, to: file)
        return file
    }

    @Test func `a screen shows every frame with its poses and counts them`() async throws {
        let scene = SynthScene.exercise(.jumpingJack, repetitions: 4, seed: 5, settings: Self.settings)
        let file = try clip(scene)
        let screen = WorkoutScreen()
        try await screen.run(try await VideoReader.read(contentsOf: file))
        #expect(screen.shown.count == scene.frameCount && screen.rates.count == scene.frameCount)
        #expect(screen.shown.allSatisfy { $0.image.width == 480 && $0.image.height == 360 })
        #expect(screen.shown.count { $0.poses.count == 1 } > scene.frameCount * 9 / 10)
        #expect(screen.shownCount.rounded() == 4)
        let total = try await jumpingJacks(in: try await VideoReader.read(contentsOf: file))
        #expect(total.rounded() == 4)
    }

    @Test func `a transformer with a sequence of its own counts hands that meet`() async throws {
        let counts = try await HandsTogetherPipeline().count(AnyTemporalSequence(RecordedPoses.demo))
        let poses = RecordedPoses.demo.frames
        #expect(counts.count == poses.count / 30)
        var total = 0
        for try await window in counts { total += window.feature }
        // In a jumping jack the hands meet over the head for less than half of the time.
        #expect(total > 8 && total < poses.count / 2, "\(total)")
    }

    @Test func `a squat becomes a window for a classifier`() throws {
        let truth = SynthScene.exercise(.squat, repetitions: 2, seed: 3, view: .side, settings: Self.settings).truth()
        var window = SquatWindow()
        for poses in RecordedPoses(truth).frames { try window.take(poses) }
        #expect(window.windows.count == 2)
        let array = try #require(window.windows.first)
        #expect(array.shape == [60, 3, 18] && array[[0, 2, 0]].floatValue > 0.3 && array[[0, 2, 17]] == 0)
    }

    @Test func `a processor reads a video's poses at a cadence`() throws {
        let scene = SynthScene.exercise(.squat, repetitions: 1, seed: 3, view: .front, settings: Self.settings)
        let file = try clip(scene)
        let reader = RecordedPoseReader()
        let window = try reader.read(file, seconds: 1)
        #expect(reader.frames == 15 && reader.poses.count >= 15 && reader.lastError == nil, "\(reader.frames)")
        #expect(window.shape == [NSNumber(value: reader.poses.count), 3, 18])
        let sparse = RecordedPoseReader()
        _ = try sparse.read(file, seconds: 2, framesPerSecond: 5)
        #expect(sparse.frames == 10)
        #expect(throws: VNError.self) { try RecordedPoseReader().read(folder.file("none.mp4"), seconds: 1) }
    }

    @Test func `a processor stops when it is cancelled and knows its requests`() throws {
        let file = try clip(.exercise(.squat, repetitions: 1, seed: 3, view: .front, settings: Self.settings))
        let processor = VNVideoProcessor(url: file)
        var calls = 0
        let contours = VNDetectContoursRequest { _, _ in
            calls += 1
            if calls == 2 { processor.cancel() }
        }
        try processor.add(contours)
        #expect(throws: VNError.self) { try processor.analyze(CMTimeRange(start: .zero, duration: .indefinite)) }
        #expect(calls == 2)
        try processor.removeRequest(contours)
        #expect(throws: VNError.self) { try processor.removeRequest(contours) }
        try processor.analyze(CMTimeRange(start: .zero, duration: .positiveInfinity))
        #expect(calls == 2)
    }

    @Test func `flights leave timed paths and records`() async throws {
        let scene = SynthScene.throwing(seed: 10, size: (640, 360))
        let tracer = ShotTracer()
        let frames = (0..<scene.frameCount).map { scene.videoFrame($0) }
        for frame in frames { try tracer.process(frame) }
        let flights = scene.flightTruth().filter { $0.end - $0.start > 0.5 }
        #expect(tracer.paths.count >= flights.count && !flights.isEmpty && !tracer.projected.isEmpty)
        let end = frames[frames.count - 1].time + 1
        for path in tracer.paths.values {
            #expect(path.points.count == 5 && path.averageSpeed > 0)
            #expect(path.points.allSatisfy { (0...1).contains($0.position.x) && $0.timestamp <= end })
        }
        let stream = AsyncThrowingStream { continuation in
            for frame in frames { continuation.yield(frame) }
            continuation.finish()
        }
        let records = try await flightRecords(in: stream, imageSize: CGSize(width: 640, height: 360))
        #expect(Set(records.map(\.uuid)).count >= flights.count)
        for record in records {
            #expect(record.points.allSatisfy { (0...640).contains($0[0]) && (0...360).contains($0[1]) })
            #expect(
                record.coefficients[0] < 0 && record.radius > 0 && record.duration.map { $0 > 0 } == true)
        }
        #expect(
            try JSONDecoder().decode([FlightRecord].self, from: JSONEncoder().encode(records)).count == records.count)
    }

    @Test func `elbows are counted in samples that are turned upright`() throws {
        let scene = SynthScene.exercise(.bicepsCurl, repetitions: 2, seed: 4, view: .side, settings: Self.settings)
        let (upright, turned) = (ElbowCounter(), ElbowCounter())
        for index in stride(from: 0, to: scene.frameCount, by: 3) {
            let frame = scene.videoFrame(index)
            upright.captureOutput(didOutput: frame, orientation: .up)
            // Turned to the left by the camera and back by its orientation.
            if index < 15 { turned.captureOutput(didOutput: frame.oriented(.left), orientation: .right) }
        }
        #expect(upright.repetitions == 2 && turned.descriptions.count == 5)
        #expect(upright.descriptions.allSatisfy { $0.hasPrefix("VNHumanBodyPoseObservation ") })
    }

    @Test func `code with one import reads knees, times and errors`() throws {
        let scene = SynthScene.exercise(.squat, repetitions: 1, seed: 3, view: .side, settings: Self.settings)
        let monitor = KneeMonitor()
        for index in stride(from: 0, to: scene.frameCount, by: 3) { monitor.process(scene.videoFrame(index)) }
        monitor.skipNext()
        monitor.process(scene.videoFrame(0))
        #expect(monitor.reasons == ["skipped"] && monitor.started > 0)
        #expect(monitor.readings.count > scene.frameCount * 9 / 30)
        // The delay of half a second is in every time.
        let times = monitor.readings.map(\.seconds)
        #expect(times.first.map { $0 >= 0.5 } == true && times == times.sorted())
        // Standing and squatting, by both kinds of vectors.
        for angles in [monitor.readings.map { Double($0.left) }, monitor.readings.map(\.right)] {
            #expect((angles.max() ?? 0) > 150 && (angles.min() ?? 180) < 130, "\(angles)")
        }
    }

    @Test func `code with one import of the Swift API finds the tiles of raised hands`() async throws {
        let scene = SynthScene.exercise(.jumpingJack, repetitions: 1, seed: 5, view: .front, settings: Self.settings)
        let game = TileGame(size: CGSize(width: 300, height: 500))
        let (low, high) = (try await game.tiles(in: scene.videoFrame(0)), try await game.highest(in: scene))
        #expect(low.count == 1 && low.values.allSatisfy { $0.count == 2 && $0.allSatisfy { $0 >= 6 } }, "\(low)")
        #expect(high < 6, "\(high)")
    }

    @Test func `a standing person's posture is upright in space`() throws {
        let scene = SynthScene.exercise(.squat, repetitions: 1, seed: 3, view: .front, settings: Self.settings)
        let analyzer = PostureAnalyzer()
        let posture = try #require(analyzer.analyze(scene.videoFrame(1)))
        #expect(posture.joints.count == 17 && posture.tilt < 25 && posture.distance > 1)
        #expect(posture.joints.allSatisfy { (0...1).contains($0.position.x) && (0...1).contains($0.position.y) })
        let request = VNDetectHumanBodyPose3DRequest()
        try VNImageRequestHandler(cmSampleBuffer: scene.videoFrame(1)).perform([request])
        let table = try analyzer.table(of: try #require(request.results?.first))
        #expect(table.count == 19 && table["reference"]?.count == 1)
        #expect(table["human_root_3D"]?.allSatisfy { abs($0) < 0.01 } == true)
        #expect(table["camera"]?.suffix(4) == [0, 0, 0, 1])
        #expect(try request.supportedJointNames.count == 17 && request.supportedJointsGroupNames.count == 7)
        #expect(try VNDetectHumanBodyPoseRequest().supportedJointsGroupNames.first == .all)
        #expect(try VNDetectHumanHandPoseRequest().supportedJointNames.count == 21)
        #expect(VNDetectHumanHandPoseRequest.supportedRevisions == [1] && request.minimumLatencyFrameCount == 1)
    }

    @Test func `people are cut out of a film, described and found in image files`() async throws {
        let scene = SynthScene.exercise(.squat, repetitions: 1, seed: 3, view: .side, settings: Self.settings)
        let truth = scene.truth().people[0].frames
        let lowest = try #require(truth.indices.min { (truth[$0].box?[3] ?? 1) < (truth[$1].box?[3] ?? 1) })
        let cutter = Cutter()
        try cutter.cut([0, lowest].map { scene.videoFrame($0) })
        #expect(cutter.masks.map(CVPixelBufferGetWidth) == [256, 256] && cutter.portraits.count == 2)
        for (portrait, index) in zip(cutter.portraits, [0, lowest]) {
            let height = try #require(truth[index].box)[3] * Double(scene.settings.height)
            #expect(abs(Double(portrait.height) / height - 1) < 0.2, "\(portrait.height) of \(height) rows")
        }
        var bends: [Float] = []
        for index in [0, lowest] {
            let body = try await DetectHumanBodyPose3DRequest().perform(on: scene.videoFrame(index)).first
            let knee = try #require(body.flatMap(bendOfKnee))
            #expect(knee.text.hasPrefix("HumanBodyPose3DObservation "))
            bends.append(knee.degrees)
        }
        #expect(bends[0] < 45 && bends[1] > 60, "\(bends)")
        let file = folder.file("still.png")
        try scene.videoFrame(0).bitmap().png().write(to: file)
        #expect(try await posesInStills(file).count == 1)
        await #expect(throws: KinemaError.self) { try await posesInStills(folder.file("none.png")) }
        let corner = try #require(cutter.portraits[0].cropping(to: CGRect(x: -5, y: 2.5, width: 7.2, height: 3)))
        #expect(corner.width == 3 && corner.height == 4)
        #expect(corner.pixels[0..<4] == cutter.portraits[0].pixels[(2 * cutter.portraits[0].width * 4)...].prefix(4))
        #expect(corner.cropping(to: CGRect(x: 9, y: 9, width: 5, height: 5)) == nil)
    }

    @Test func `raised arms are a letter, in views' coordinates`() async throws {
        let scene = SynthScene.exercise(.jumpingJack, repetitions: 1, seed: 5, view: .front, settings: Self.settings)
        let game = ShapeGame()
        var letters: [ShapeGame.Letter] = []
        for index in stride(from: 0, to: scene.frameCount, by: 3) where !letters.contains(.arms) {
            if let letter = await game.process(scene.videoFrame(index)) { letters.append(letter) }
        }
        #expect(letters.contains(.arms))
        #expect(try #require(game.detected[.nose]).y < (try #require(game.detected[.leftHip])).y)
    }

    @Test func `pictures are cut, turned and read as Core Image does`() throws {
        var picture = Bitmap(width: 40, height: 20)
        for x in 0..<10 { for y in 0..<20 { picture.pixels[4 * (y * 40 + x)] = 200 } }
        let image = CIImage(cgImage: picture)
        #expect(image.extent == CGRect(x: 0, y: 0, width: 40, height: 20))
        let part = try #require(
            CIContext(options: nil).createCGImage(image, from: CGRect(x: 0, y: 5, width: 10, height: 5)))
        #expect(
            part.width == 10 && part.height == 5
                && part.pixels.enumerated().allSatisfy { $0.offset % 4 > 0 || $0.element == 200 })
        #expect(image.oriented(.right).extent.size == CGSize(width: 20, height: 40))
        #expect(CIImage(data: try picture.png())?.width == 40 && CIImage(data: Data("no".utf8)) == nil)
        // Half the size, and mirrored: the red stripe of the left is on the right.
        let half = image.transformed(by: CGAffineTransform(scaleX: 0.5, y: 0.5))
        #expect(half.extent.size == CGSize(width: 20, height: 10))
        let mirrored = try image.transformed(by: CGAffineTransform(scaleX: -1, y: 1)).bitmap()
        #expect(mirrored.width == 40 && mirrored.pixels[0] == 0 && mirrored.pixels[4 * 39] == 200)
        let upright = image.transformed(by: CGAffineTransform(rotationAngle: .pi / 2))
        #expect(upright.extent.size == CGSize(width: 20, height: 40))
        #expect(image.transformed(by: CGAffineTransform(scaleX: 1e9, y: 1)) === image)
        let source = CGImageSourceCreateWithData(try picture.png() as CFData, nil)
        #expect(source.flatMap { CGImageSourceCreateImageAtIndex($0, 0, nil) }?.width == 40)
        #expect(source.map { CGImageSourceCreateImageAtIndex($0, 1, nil) == nil } == true)
        #expect(CGImageSourceCreateWithURL(URL(filePath: "/nowhere.png") as CFURL, nil) == nil)
        #expect(simd_make_float3(simd_make_float4(1, 2, 3, 4)) == simd_float3(1, 2, 3))
        #expect(simd_inverse(float4x4(diagonal: SIMD4(repeating: 2))) == float4x4(diagonal: SIMD4(repeating: 0.5)))
        #expect("\(VNHumanBodyPoseObservation.JointName.nose)".hasSuffix("(_rawValue: head_joint)"))
        #expect(image.imageBuffer === image && image.presentationTimeStamp == .zero && image.duration.seconds == 1)
        let (x, y) = (simd_float3(1, 0, 0), simd_float3(0, 2, 0))
        #expect(cross(x, y) == simd_float3(0, 0, 2) && length(y) == 2 && distance(x, x) == 0)
        #expect(simd_mul(matrix_identity_float4x4, matrix_identity_float4x4) == matrix_identity_float4x4)
        #expect(CACurrentMediaTime() > 0)
        let columns = MLShapedArray(scalars: [1, 2] as [Float], shape: [2, 1])
        #expect(MLShapedArray(concatenating: [columns, columns], alongAxis: 1).scalars == [1, 1, 2, 2])
    }
}

extension TileGame {
    /// The uppermost tile that a wrist is on in every third frame of a scene.
    fileprivate func highest(in scene: SynthScene) async throws -> Int {
        var tiles: [Int] = []
        for index in stride(from: 0, to: scene.frameCount, by: 3) {
            tiles += try await self.tiles(in: scene.videoFrame(index)).values.joined()
        }
        return tiles.min() ?? .max
    }
}
