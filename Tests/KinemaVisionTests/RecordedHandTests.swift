import KinemaPose
import KinemaVision
import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

/// Real inference on real hands.
@Suite(.enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"))
struct RecordedHandTests {
    private func hands(_ clip: String, options: HandPoseOptions = .init()) async throws -> [[HumanHandPoseObservation]]
    {
        let extractor = HumanHandPoseExtractor(options: options)
        var result: [[HumanHandPoseObservation]] = []
        for try await element in try await VideoReader.read(contentsOf: SharedData.file("hands/asl/\(clip).mkv")) {
            result.append(try extractor.hands(in: element.feature))
        }
        return result
    }

    @Test func `a signers hands keep number and side`() async throws {
        let frames = try await hands("sorry")
        #expect(frames.count == 73)
        #expect(frames.filter { $0.count == 2 }.count >= 60)
        for hand in frames[20..<60].flatMap(\.self) {
            let wrist = try #require(hand.joint(for: .wrist))
            // Seen from the front, not mirrored: the left hand is at the picture's right.
            #expect(hand.chirality == (wrist.location.x > 0.5 ? .left : .right))
        }
        let numbers = Set(frames[20..<60].flatMap { $0.compactMap(\.pose.id) })
        #expect(numbers.count == 2)
    }

    @Test func `one hand is found when one is asked for`() async throws {
        let frames = try await hands("sorry", options: HandPoseOptions(maximumHandCount: 1))
        #expect(frames.allSatisfy { $0.count <= 1 })
        #expect(frames.filter { $0.count == 1 }.count >= 70)
    }

    @Test func `joints in space are metres of a hand`() async throws {
        for hand in try await hands("no").flatMap(\.self) where hand.confidence > 0.9 {
            let wrist = try #require(hand.pose.keypoints3D[.wrist]).position
            let knuckle = try #require(hand.pose.keypoints3D[.middleMCP]).position
            let length = ((wrist - knuckle) * (wrist - knuckle)).sum().squareRoot()
            #expect((0.06...0.13).contains(length), "\(length) m")
        }
    }

    @Test func `a picture gives Vision's observations`() async throws {
        let url = SharedData.file("hands/keypoints21/onehand10k/1402.jpg")
        let found = try await DetectHumanHandPoseRequest().perform(on: url)
        let hand = try #require(found.first)
        #expect(hand.allJoints().count == 21)
        #expect(hand.allJoints(in: .indexFinger).count == 4)
        #expect(hand.pose.id == nil && hand.timeRange == nil)
        var none = DetectHumanHandPoseRequest()
        none.maximumHandCount = 0
        #expect(try await none.perform(on: url).isEmpty)
    }

    @Test func `a persons hands are attached to their sides`() async throws {
        var people: [HumanBodyPoseObservation] = []
        var number = 0
        for try await element in try await VideoReader.read(contentsOf: SharedData.file("hands/asl/sorry.mkv")) {
            if number == 30 { people = try await DetectHumanBodyPoseRequest().perform(on: element.feature) }
            number += 1
        }
        let person = try #require(people.first)
        let (left, right) = (try #require(person.leftHand), try #require(person.rightHand))
        #expect(try #require(left.joint(for: .wrist)).location.x > #require(right.joint(for: .wrist)).location.x)
        var bodyOnly = DetectHumanBodyPoseRequest()
        #expect(bodyOnly.detectsHands)
        bodyOnly.detectsHands = false
        let picture = try await bodyOnly.perform(on: SharedData.file("hands/keypoints21/onehand10k/784.jpg"))
        #expect(picture.allSatisfy { $0.leftHand == nil && $0.rightHand == nil })
    }
}
