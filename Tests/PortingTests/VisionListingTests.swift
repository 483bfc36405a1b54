import Foundation
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import KinemaVN
import Testing

@testable import PortingSamples

/// Code written for Vision's older and newer names, with nothing but the import changed.
struct VisionListingTests {
    private static let squat = SynthScene.exercise(
        .squat, repetitions: 1, seed: 3, view: .front,
        settings: SynthScene.Settings(width: 640, height: 480, frameRate: FrameRate(timescale: 15)))

    @Test func `the tips of a pinching hand meet in the delegate's frames`() async throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("pinch.mp4")
        try RenderedHand.write(.pinch, person: 0, to: clip)
        let capture = HandPoseCapture()
        let processor = PinchProcessor(pinchMaxDistance: 0.1)
        var states: [PinchProcessor.State] = []
        for try await frame in try await VideoReader.read(contentsOf: clip) where frame.id.range.lowerBound % 3 == 0 {
            capture.captureOutput(didOutput: frame.feature)
            guard let (thumb, index) = capture.tips.last, let thumb, let index else { continue }
            processor.process(thumbTip: thumb, indexTip: index)
            states.append(processor.state)
        }
        #expect(capture.lastError == nil && states.count > capture.tips.count / 2)
        #expect(states.contains(.pinched) && states.contains(.apart))
        processor.reset()
        #expect(processor.state == .unknown)
    }

    @Test func `three ways to follow a ball find its flight`() async throws {
        let scene = SynthScene.throwing(seed: 10, size: (640, 360))
        let (game, tracker, handler) = (ThrowGame(), BallTracker(), TrajectoryHandler())
        for index in 0..<scene.frameCount {
            let frame = scene.videoFrame(index)
            game.cameraViewController(didReceiveBuffer: frame, orientation: .up, looksForPlayer: false)
            try await tracker.process(frame)
            handler.processFrame(frame)
        }
        game.finish()
        #expect(game.errors.isEmpty)
        let flights = scene.flightTruth().filter { $0.end - $0.start > 0.5 }
        #expect(!flights.isEmpty && game.trajectories.count >= flights.count)
        for flight in game.trajectories.values {
            #expect(flight.detectedPoints.count <= 15 && flight.equationCoefficients.x < 0)
            #expect(game.speed(of: flight).map { $0 > 0 } == true)
        }
        #expect(!tracker.shots.isEmpty)
        for shot in tracker.shots.values { #expect(shot.points.count <= 10 && shot.a < 0 && shot.duration > 0.1) }
        #expect(!handler.radii.isEmpty && handler.radii.allSatisfy { $0 > 0 && $0 < 0.3 })
    }

    @Test func `a game sees the player and fills a classifier's window`() throws {
        let game = ThrowGame()
        for index in stride(from: 0, to: 48, by: 8) {
            game.cameraViewController(
                didReceiveBuffer: Self.squat.videoFrame(index), orientation: .up, looksForPlayer: true)
        }
        game.finish()
        let truth = Self.squat.truth().people[0]
        let box = try #require(game.playerBoxes.first)
        let real = try #require(truth.frames[0].box)
        // The joints lie within the outline.
        #expect(box.minX > real[0] && box.maxX < real[0] + real[2] && box.height > 0.7 * real[3])
        let poses = game.stats.poseObservations
        #expect(poses.count == 6)
        let window = try #require(prepareInputWithObservations(poses))
        #expect(window.shape == [60, 3, 18])
        // The first keypoint is the nose; frames that are missing are zero.
        let nose = try #require(truth.frames[0].keypoints["nose"])
        #expect(
            abs(window[[0, 0, 0]].doubleValue - nose.x) < 0.03 && abs(window[[0, 1, 0]].doubleValue - nose.y) < 0.03)
        #expect(window[[59, 2, 0]] == 0)
    }

    @Test func `a camera on a tripod is stable and a moved one is not`() throws {
        let scene = SynthScene.throwing(seed: 10, size: (640, 360))
        let still = CameraStability()
        for index in 0..<18 { try still.checkStability(scene.videoFrame(index)) }
        #expect(still.historyPoints.count == 17 && still.isStable == true)
        // The content moves by two pixels to the left in every frame, so the new image must move right to fit the old.
        let moved = CameraStability()
        let picture = try scene.videoFrame(0).bitmap()
        for index in 0..<18 { try moved.checkStability(panned(picture, index)) }
        #expect(moved.isStable == false)
        #expect(moved.historyPoints.allSatisfy { abs($0.x - 2) < 0.2 && abs($0.y) < 0.2 })
    }

    @Test func `a board's corners are found within its rectangle`() throws {
        // A dark board with a light hole on light ground.
        var picture = Bitmap(width: 400, height: 300, red: 210, green: 205, blue: 200)
        for y in 100..<200 {
            for x in 150..<250 {
                let isHole = hypot(Double(x - 200), Double(y - 130)) < 12
                for channel in 0..<3 { picture.pixels[(y * 400 + x) * 4 + channel] = isHole ? 210 : 40 }
            }
        }
        let box = CGRect(x: 0.3, y: 0.25, width: 0.4, height: 0.5)
        let (corners, hole) = try boardContour(in: picture, boardBox: box)
        for corner in [CGPoint(x: 150, y: 100), CGPoint(x: 250, y: 100), CGPoint(x: 250, y: 200)] {
            #expect(corners.contains { hypot($0.x - corner.x, $0.y - corner.y) < 3 }, "\(corner) of \(corners)")
        }
        let inImage = VNImageRectForNormalizedRectUsingRegionOfInterest(try #require(hole), 400, 300, box)
        #expect(abs(inImage.midX - 200) < 2 && abs(inImage.midY - 170) < 2 && abs(inImage.width - 24) < 3)
    }

    @Test func `an app for exercises reads angles, fingertips and rectangles`() async throws {
        let session = FormSession()
        for index in 1...3 { await session.process(Self.squat.videoFrame(index)) }
        #expect(session.bodyParts.count == 19)
        #expect(try #require(session.angle(.leftHip, .leftKnee, .leftAnkle)) > 140)
        let folder = try TemporaryFolder()
        let clip = folder.file("hand.mp4")
        try RenderedHand.write(.pinch, person: 0, to: clip)
        let tips = try await fingertips(
            in: ImageReader.read(contentsOf: clip), viewSize: CGSize(width: 320, height: 240))
        #expect(tips.count == 1 && tips.values.first?.count == 5)
        let image = try Self.squat.videoFrame(4).bitmap()
        let (people, stored) = try await analyse(image)
        #expect(people == 1)
        let bodies = try JSONDecoder().decode([HumanBodyPoseObservation].self, from: stored)
        #expect(bodies.count == 1 && bodies[0].availableJointNames.count == 19)
        let half = NormalizedRect(x: 0.1, y: 0, width: 0.8, height: 1)
        let rect = try #require(
            try await nearestPerson(in: Self.squat.videoFrame(4), half: half, size: CGSize(width: 640, height: 480)))
        let box = try #require(Self.squat.truth().people[0].frames[4].box)
        let expected = CGPoint(x: (box[0] + box[2] / 2) * 320 + 10, y: (1 - box[1] - box[3] / 2) * 240 + 20)
        #expect(hypot(rect.midX - expected.x, rect.midY - expected.y) < 15)
    }

    @Test func `heads are followed in space at the requested spacing`() async throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("squat.mp4")
        try RenderedVideo.write(Self.squat, to: clip)
        let heights = try await headHeights(in: VideoReader.read(contentsOf: clip))
        let seconds = try #require(heights.last).seconds
        #expect(abs(Double(heights.count) - (seconds * 5 + 1)) <= 2)
        #expect(heights.allSatisfy { $0.metres > 0.4 && $0.metres < 1 })
    }

    @Test func `a body in space reads the same by both names`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("squat.png")
        let image = try Self.squat.videoFrame(4).bitmap()
        try image.writePNG(to: file)
        let detector = HumanBodyPose3DDetector()
        detector.runHumanBodyPose3DRequest(on: file)
        let height = try #require(detector.bodyHeight)
        #expect(height.metres > 1.3 && height.metres < 2.1 && !height.isMeasured)
        // The leg of a standing person points down.
        #expect(try #require(detector.direction(to: .leftKnee)).y < -0.9)
        #expect(detector.chain(from: .leftWrist).map(\.rawValue.rawValue).last == "human_root_3D")
        #expect(detector.chain(from: .leftWrist).count == 6)
        let distances = try #require(try detector.cameraDistances())
        #expect(distances.root > 1 && distances.nearest > 0.5 && distances.nearest < distances.root + 0.2)
        let points = try detector.pointsInImage(of: .leftLeg)
        #expect(points.count == 3 && points.allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) })
        let body = try #require(try await Body3D(in: image))
        #expect(abs(body.heightInCentimetres - Double(height.metres) * 100) < 3 && body.isEstimated)
        #expect(body.joints(for: .head).count == 2 && body.elbowAngle().map { $0 > 20 && $0 <= 180 } == true)
        #expect(body.noseInImage().y > 0.5)
    }
}

/// A frame of a film in which a picture moves by two pixels to the left in every frame.
private func panned(_ picture: Bitmap, _ index: Int) -> VideoFrame {
    var shifted = Bitmap(width: 600, height: picture.height)
    for y in 0..<shifted.height {
        for x in 0..<600 {
            for channel in 0..<4 {
                shifted.pixels[(y * 600 + x) * 4 + channel] =
                    picture.pixels[(y * picture.width + x + 2 * index) * 4 + channel]
            }
        }
    }
    let id = TemporalSegmentIdentifier(source: "pan", range: index..<index + 1, timescale: 30)
    return VideoFrame(bitmap: shifted, id: id)
}

/// Handlers, requests and errors under their older names.
struct VNRequestTests {
    private let scene = SynthScene.exercise(
        .squat, repetitions: 1, seed: 3, view: .front,
        settings: SynthScene.Settings(width: 640, height: 480, frameRate: FrameRate(timescale: 15)))

    @Test func `every kind of image gives the same joints`() throws {
        let frame = scene.videoFrame(4)
        let bitmap = try frame.bitmap()
        let folder = try TemporaryFolder()
        let file = folder.file("body.png")
        try bitmap.writePNG(to: file)
        var noses: [CGPoint] = []
        for handler in [
            VNImageRequestHandler(url: file), VNImageRequestHandler(data: try Data(contentsOf: file)),
            VNImageRequestHandler(cgImage: bitmap), VNImageRequestHandler(ciImage: frame),
            VNImageRequestHandler(cvPixelBuffer: frame, options: [:]),
            VNImageRequestHandler(cmSampleBuffer: frame, orientation: .up, options: [:]),
        ] {
            let (body, people) = (VNDetectHumanBodyPoseRequest(), VNDetectHumanRectanglesRequest())
            #expect(body.results == nil)
            try handler.perform([body, people])
            let observation = try #require(body.results?.first)
            noses.append(try observation.recognizedPoint(.nose).location)
            #expect(people.results?.count == 1 && people.results?.first?.upperBodyOnly == true)
            #expect(people.results.map { $0[0].boundingBox.contains(noses[0]) } == true)
        }
        #expect(noses.allSatisfy { hypot($0.x - noses[0].x, $0.y - noses[0].y) < 0.005 })
        let turned = VNDetectHumanBodyPoseRequest()
        try VNSequenceRequestHandler().perform([turned], on: frame, orientation: .down)
        let upsideDown = try turned.results?.first?.recognizedPoint(.nose).location
        #expect(upsideDown.map { $0.y < 0.5 } ?? true)
    }

    @Test func `people are cut out of a picture by their mask`() async throws {
        let frame = scene.videoFrame(4)
        let request = VNGeneratePersonSegmentationRequest()
        request.qualityLevel = .fast
        request.outputPixelFormat = kCVPixelFormatType_OneComponent8
        try VNImageRequestHandler(cvPixelBuffer: frame).perform([request])
        let mask = try #require(request.results?.first).pixelBuffer
        #expect(CVPixelBufferGetWidth(mask) == 256 && CVPixelBufferGetHeight(mask) == 256 * frame.height / frame.width)
        let bitmap = try mask.bitmap()
        let bright = bitmap.pixels.enumerated().count { $0.offset % 4 == 0 && $0.element > 127 }
        let share = Double(bright) / Double(bitmap.width * bitmap.height)
        #expect(abs(share - (try await coverage(of: frame))) < 0.01 && share > 0.02)
        request.outputPixelFormat = 0
        #expect(throws: VNError.self) { try VNImageRequestHandler(cvPixelBuffer: frame).perform([request]) }
    }

    @Test func `a stream's movement and an object's size have their older names`() throws {
        let picture = try SynthScene.throwing(seed: 10, size: (640, 360)).videoFrame(0).bitmap()
        let every = VNTrackTranslationalImageRegistrationRequest()
        let second = VNTrackTranslationalImageRegistrationRequest(
            frameAnalysisSpacing: CMTime(value: 1, timescale: 15))
        let handler = VNSequenceRequestHandler()
        var found: [[VNImageTranslationAlignmentObservation]] = []
        for index in 0..<4 {
            try handler.perform([every, second], on: panned(picture, index))
            found += [try #require(every.results), try #require(second.results)]
        }
        #expect(found.map(\.count) == [0, 0, 1, 0, 1, 1, 1, 0] && every.minimumLatencyFrameCount == 2)
        let moves = found.flatMap(\.self).map { $0.alignmentTransform.tx }
        #expect(zip(moves, [-2, -2, -4, -2]).allSatisfy { abs($0 - $1) < 0.2 }, "\(moves)")
        let flight = VNDetectTrajectoriesRequest(frameAnalysisSpacing: .zero, trajectoryLength: 5)
        (flight.minimumObjectSize, flight.maximumObjectSize) = (0.01, 0.2)
        #expect(flight.objectMinimumNormalizedRadius == 0.01 && flight.objectMaximumNormalizedRadius == 0.2)
        flight.objectMaximumNormalizedRadius = 0.3
        #expect(flight.maximumObjectSize == 0.3 && flight.minimumObjectSize == 0.01)
    }

    @Test func `joints and groups are found by new names, old keys and raw text`() throws {
        let request = VNDetectHumanBodyPoseRequest()
        try VNImageRequestHandler(cmSampleBuffer: scene.videoFrame(4)).perform([request])
        let body = try #require(request.results?.first)
        #expect(body.availableJointNames.count == 19 && body.availableGroupKeys.count == 7)
        #expect(try body.recognizedPoints(.all).count == 19 && body.recognizedPoints(.torso).count == 6)
        let elbow = try body.recognizedPoint(.leftElbow)
        #expect(elbow.identifier.rawValue == "left_forearm_joint")
        #expect(try body.recognizedPoint(forKey: .bodyLandmarkKeyLeftElbow) === elbow)
        #expect(try body.recognizedPoint(forKey: VNRecognizedPointKey(rawValue: "left_forearm_joint")) === elbow)
        #expect(try body.recognizedPoints(forGroupKey: .bodyLandmarkRegionKeyLeftArm).count == 3)
        #expect(
            try body.recognizedPoints(
                VNHumanBodyPoseObservation.JointsGroupName(rawValue: .init(rawValue: "VNBLKLARM")))[.leftElbow]
                === elbow)
        #expect(try body.keypointsMultiArray().shape == [1, 3, 18])
        #expect(HumanBodyPoseObservation(body).joint(for: .leftElbow)?.location.cgPoint == elbow.location)
        #expect(try Pose(body)[.leftElbow].location == elbow.location)
        #expect(throws: VNError.self) { try body.recognizedPoint(forKey: .handLandmarkKeyThumbTIP) }
        let thumb = VNHumanHandPoseObservation.JointName.thumbIP
        #expect(
            thumb.rawValue.rawValue == "VNHLKTIP"
                && VNHumanHandPoseObservation.JointName.indexTip.rawValue.rawValue == "VNHLKITIP")
    }

    @Test func `errors carry Vision's domain and codes, to the caller and to the handler`() throws {
        var reported: [Int] = []
        let handler: VNRequestCompletionHandler = { _, error in
            if let error { reported.append((error as NSError).code) }
        }
        func code(_ body: () throws -> Void) -> VNErrorCode? {
            do { try body() } catch {
                let bridged = error as NSError
                #expect(bridged.domain == VNErrorDomain && !error.localizedDescription.contains("\n"))
                return VNErrorCode(rawValue: bridged.code)
            }
            return nil
        }
        let body = VNDetectHumanBodyPoseRequest(completionHandler: handler)
        #expect(code { try VNImageRequestHandler(data: Data("no".utf8)).perform([body]) } == .invalidImage)
        #expect(body.results == nil)
        body.regionOfInterest = CGRect(x: 0.5, y: 0.5, width: 1, height: 1)
        let picture = Bitmap(width: 320, height: 240, red: 90, green: 90, blue: 90)
        #expect(code { try VNImageRequestHandler(cgImage: picture).perform([body]) } == .outOfBoundsError)
        let flight = VNDetectTrajectoriesRequest(
            frameAnalysisSpacing: .zero, trajectoryLength: 5, completionHandler: handler)
        #expect(code { try VNImageRequestHandler(cgImage: picture).perform([flight]) } == .timeStampNotFound)
        let short = VNDetectTrajectoriesRequest(
            frameAnalysisSpacing: .zero, trajectoryLength: 4, completionHandler: handler)
        #expect(
            code { try VNImageRequestHandler(cmSampleBuffer: scene.videoFrame(0)).perform([short]) } == .invalidArgument
        )
        let contours = VNDetectContoursRequest(completionHandler: handler)
        contours.cancel()
        #expect(contours.revision == VNDetectContoursRequest.currentRevision)
        #expect(code { try VNImageRequestHandler(cgImage: picture).perform([contours]) } == .requestCancelled)
        #expect(reported == [13, 4, 18, 14, 1])
        do {
            contours.cancel()
            try VNImageRequestHandler(cgImage: picture).perform([contours])
        } catch let error as NSError {
            #expect(error.domain == "com.apple.vis" && error.code == VNErrorCode.requestCancelled.rawValue)
        }
        // What failed does not stop the requests after it, and works again.
        contours.cancel()
        let after = VNDetectContoursRequest()
        #expect(code { try VNImageRequestHandler(cgImage: picture).perform([contours, after]) } == .requestCancelled)
        #expect(after.results?.count == 1)
        #expect(code { try VNImageRequestHandler(cgImage: picture).perform([contours]) } == nil)
    }

    @Test func `error codes count as Vision's header does`() {
        // The order of VNErrorCode in VNError.h, from VNErrorOK = 0.
        let header: [VNErrorCode] = [
            .OK, .requestCancelled, .invalidFormat, .operationFailed, .outOfBoundsError, .invalidOption, .ioError,
            .missingOption, .notImplemented, .internalError, .outOfMemory, .unknownError, .invalidOperation,
            .invalidImage, .invalidArgument, .invalidModel, .unsupportedRevision, .dataUnavailable,
            .timeStampNotFound, .unsupportedRequest, .timeout, .unsupportedComputeStage, .unsupportedComputeDevice,
        ]
        #expect(header.map(\.rawValue) == Array(0...22) && VNErrorCode(rawValue: 23) == nil)
        #expect(VNErrorCode.turiCoreErrorCode.rawValue == -1)
    }

    @Test func `observations survive storing, and the older ones lead to the newer`() throws {
        var picture = Bitmap(width: 200, height: 200, red: 230, green: 230, blue: 230)
        for y in 50..<150 {
            for x in 60..<140 where !((80..<120).contains(x) && (80..<120).contains(y)) {
                for channel in 0..<3 { picture.pixels[(y * 200 + x) * 4 + channel] = 20 }
            }
        }
        let request = VNDetectContoursRequest()
        try VNImageRequestHandler(cgImage: picture).perform([request])
        let contours = ContoursObservation(try #require(request.results?.first))
        let stored = try JSONEncoder().encode(contours)
        let copy = try JSONDecoder().decode(ContoursObservation.self, from: stored)
        #expect(copy == contours && copy.normalizedPath == contours.normalizedPath && copy.contourCount == 2)
        #expect(copy.topLevelContours.first?.childContours.count == 1)
        // A contour that encloses itself is refused.
        let text = try #require(String(data: stored, encoding: .utf8))
        let damaged = text.replacingOccurrences(of: "\"parent\":0", with: "\"parent\":7")
        #expect(damaged != text)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ContoursObservation.self, from: Data(damaged.utf8))
        }
    }

    @Test func `many tasks may perform requests at the same time`() async throws {
        let frame = scene.videoFrame(4)
        // More tasks than threads: a request that waited for another task would never come back.
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let request = VNDetectHumanRectanglesRequest()
                    try VNImageRequestHandler(cmSampleBuffer: frame).perform([request])
                    return request.results?.count ?? 0
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 1, count: 16))
    }

    @Test(.enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"))
    func `both interfaces find the face of a signer, also in a region of interest`() async throws {
        let frame = try ImageReader.read(contentsOf: SharedData.file("hands/asl/no.mkv"))
        let (older, body) = (VNDetectFaceRectanglesRequest(), VNDetectHumanBodyPoseRequest())
        try VNImageRequestHandler(cmSampleBuffer: frame).perform([older, body])
        let (face, nose) = try (#require(older.results?.first), #require(body.results?.first).recognizedPoint(.nose))
        #expect(face.confidence > 0.6 && face.boundingBox.contains(nose.location) && face.boundingBox.width < 0.4)
        var newer = DetectFaceRectanglesRequest()
        #expect(try await newer.perform(on: frame).map(\.boundingBox.cgRect) == [face.boundingBox])
        newer.regionOfInterest = NormalizedRect(x: 0.1, y: 0.2, width: 0.7, height: 0.8)
        let part = try #require(await newer.perform(on: frame).first).boundingBox
        let back = part.toImageCoordinates(from: newer.regionOfInterest, imageSize: CGSize(width: 1, height: 1))
        #expect(abs(back.midX - face.boundingBox.midX) + abs(back.midY - face.boundingBox.midY) < 0.03, "\(back)")
        newer.regionOfInterest = NormalizedRect(x: 0, y: 0, width: 0.5, height: 0.2)
        #expect(try await newer.perform(on: frame).isEmpty)
    }
}
