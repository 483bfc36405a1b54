import Foundation
import KinemaMedia
import KinemaTestSupport
import KinemaVN
import Testing

@testable import PortingSamples

/// Code written for Vision's older names on recordings, whose contents are known.
@Suite(.enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"))
struct RecordedListingTests {
    @Test func `a hand that sets a volume pinches five times`() async throws {
        let (capture, processor) = (HandPoseCapture(), PinchProcessor(pinchMaxDistance: 0.1))
        var (frames, pinches, last) = (0, 0, PinchProcessor.State.unknown)
        for try await frame in try await VideoReader.read(
            contentsOf: SharedData.file("hands/pinches/volume_portrait.mp4"))
        {
            frames += 1
            guard frames % 3 == 1 else { continue }
            capture.captureOutput(didOutput: frame.feature)
            guard let (thumb, index) = capture.tips.last, let thumb, let index else { continue }
            processor.process(thumbTip: thumb, indexTip: index)
            if processor.state == .pinched, last != .pinched { pinches += 1 }
            last = processor.state
        }
        #expect(capture.lastError == nil && (4...6).contains(pinches), "\(pinches)")
    }

    @Test func `the flight of a free throw is the one labelled by hand`() async throws {
        let game = ThrowGame()
        for try await frame in try await VideoReader.read(contentsOf: SharedData.file("throws/freethrow_yard.mp4"))
        where (3.0..<4.3).contains(frame.feature.time) {
            game.cameraViewController(didReceiveBuffer: frame.feature, orientation: .up, looksForPlayer: false)
        }
        game.finish()
        #expect(game.errors.isEmpty && game.trajectories.count == 1)
        let flight = try #require(game.trajectories.values.first)
        #expect((-5 ... -2.5).contains(flight.equationCoefficients.x))
        // The ball's centre in each frame: frame, time, and x and y in pixels of 852x480, y down.
        let labels = try String(contentsOf: SharedData.file("throws/freethrow_yard.ball.csv"), encoding: .utf8)
            .split(whereSeparator: \.isNewline).suffix(15)
            .map { $0.split(separator: ",").suffix(2).compactMap { Double($0) } }
        #expect(labels.count == 15 && flight.detectedPoints.count == 15)
        for (point, label) in zip(flight.detectedPoints, labels) {
            #expect(hypot(point.x - label[0] / 852, point.y - (1 - label[1] / 480)) < 0.01, "\(point) \(label)")
        }
    }

    @Test func `a camera on a tripod is stable`() async throws {
        let stability = CameraStability()
        for try await frame in try await VideoReader.read(contentsOf: SharedData.file("throws/cornhole_board_a.mp4")) {
            try stability.checkStability(frame.feature)
            if stability.historyPoints.count == 17 { break }
        }
        #expect(stability.historyPoints.count == 17 && stability.isStable == true)
    }

    @Test func `a photographed body has the height of a person`() throws {
        let detector = HumanBodyPose3DDetector()
        detector.runHumanBodyPose3DRequest(
            on: SharedData.file("people/coco_train_subset/images/000000084533.jpg"))
        #expect((1.2...2.2).contains(try #require(detector.bodyHeight).metres))
    }
}
