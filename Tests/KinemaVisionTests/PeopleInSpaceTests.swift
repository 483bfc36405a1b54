@testable import KinemaVision
import Foundation
import KinemaMedia
import KinemaTestSupport
import Testing

@testable import KinemaCore
@testable import KinemaSynth

extension RenderedPeople {
    /// Bodies in space and rectangles around people, against the renderer's truth.
    struct SpaceTests {
        private static let settings = SynthScene.Settings(width: 640, height: 480, frameRate: FrameRate(timescale: 15))

        private func scene(
            _ movement: Movement, view: SynthCamera.View, height: Double = 1.75
        ) -> SynthScene {
            SynthScene.exercise(
                movement, repetitions: 1, seed: 5, view: view, body: Body(height: height), settings: Self.settings)
        }

        /// The truth of a joint of Vision's 17 in metres, where the renderer has it.
        private func truth(
            _ name: HumanBodyPose3DObservation.JointName, _ frame: Truth.Frame
        ) -> SIMD3<Float>? {
            func joint(_ key: String) -> SIMD3<Float>? {
                frame.keypoints3D[key].map { SIMD3(Float($0[0]), Float($0[1]), Float($0[2])) }
            }
            switch name {
            case .centerShoulder: return joint("neck")
            case .spine: return joint("neck").map { $0 / 2 }
            case .centerHead:
                guard let left = joint("leftEar"), let right = joint("rightEar") else { return nil }
                return (left + right) / 2
            case .topHead: return nil
            default: return joint(name.rawValue)
            }
        }

        @Test func `limbs in space point where the renderer's do`() async throws {
            var degrees: [Double] = []
            var heights: [Double] = []
            for (movement, view) in [
                (Movement.squat, SynthCamera.View.front), (.lateralRaise, .threeQuarter), (.lunge, .side),
            ] {
                let scene = scene(movement, view: view)
                let frames = scene.truth().people[0].frames
                for index in stride(from: 12, to: scene.frameCount, by: 24) {
                    let found = try await DetectHumanBodyPose3DRequest().perform(on: scene.bitmap(at: index))
                    let body = try #require(found.first)
                    heights.append(abs(body.bodyHeight.converted(to: .meters).value / 1.75 - 1))
                    for name in body.availableJointNames {
                        let parent = body.parentJointName(for: name)
                        guard parent != name, let here = truth(name, frames[index]),
                            let there = truth(parent, frames[index]), let joint = body.joint(for: name)
                        else { continue }
                        let expected = here - there
                        let cosine =
                            simd_dot(simd_normalize(joint.localPosition.translation), simd_normalize(expected))
                        degrees.append(Double(acos(min(1, max(-1, cosine)))) * 180 / .pi)
                    }
                }
            }
            let sorted = degrees.sorted()
            let (median, worst) = (sorted[sorted.count / 2], sorted[sorted.count * 9 / 10])
            let height = heights.reduce(0, +) / Double(heights.count)
            print("parent-relative direction: median \(median)°, 90 % below \(worst)°, \(degrees.count) bones")
            print("height: mean error \(100 * height) % of 1.75 m, \(heights.count) frames")
            #expect(median < 15 && worst < 40)
            #expect(height < 0.12)
        }

        @Test func `positions, parents, the camera and the image fit together`() async throws {
            let scene = scene(.squat, view: .front)
            let body = try #require(try await DetectHumanBodyPose3DRequest().perform(on: scene.videoFrame(4)).first)
            #expect(body.availableJointNames.count == 17 && body.allJoints().count == 17)
            #expect(body.timeRange == scene.videoFrame(4).id.timeRange && body.heightEstimationTechnique == .reference)
            for (name, joint) in body.allJoints() {
                // Up the tree of parents, the local positions add to the position from the root.
                var (sum, place) = (SIMD3<Float>.zero, Optional(name))
                while let step = place, let local = body.joint(for: step)?.localPosition {
                    sum += local.translation
                    let parent = body.parentJointName(for: step)
                    place = parent == step ? nil : parent
                }
                let root = try #require(body.joint(for: .root)).position.translation
                #expect(simd_distance(root + sum, joint.position.translation) < 1e-4)
                // The camera's matrix leads to the camera's coordinates.
                let seen = body.cameraOriginMatrix.inverse * joint.position.columns.3
                #expect(
                    simd_distance(body.cameraRelativePosition(for: name).translation, SIMD3(seen.x, seen.y, seen.z))
                        < 1e-4)
                // A lens of 28 mm projects the joint near where the image shows it.
                let point = body.pointInImage(for: name)
                let x = Double(seen.x / -seen.z) * 28 / 36 + 0.5
                #expect(abs(x - point.x) < 0.08, "\(name)")
            }
            let distance = Double(simd_length(body.cameraOriginMatrix.translation))
            let focal = 28.0 / 36 / (480.0 / 640 / 2 / tan(21 * .pi / 180))
            let camera = scene.shots[0].camera
            let way = camera.position - camera.target
            let real = (way * way).sum().squareRoot()
            print("camera: \(distance / focal) m with the true focal length, really \(real) m")
            #expect(abs(distance / focal / real - 1) < 0.2)
            #expect(body.joint(for: .root)?.parentJoint == "root" && body.parentJointName(for: .root) == .root)
            #expect(body.joint(for: .topHead).map { $0.position.translation.y > 0.5 } == true)
            let copy = try JSONDecoder().decode(HumanBodyPose3DObservation.self, from: JSONEncoder().encode(body))
            #expect(copy == body && copy.joint(for: .leftWrist) == body.joint(for: .leftWrist))
        }

        @Test func `rectangles surround people as their outlines do`() async throws {
            var overlaps: [Double] = []
            for (movement, view) in [
                (Movement.lateralRaise, SynthCamera.View.front), (.jumpingJack, .threeQuarter), (.lunge, .side),
            ] {
                let scene = scene(movement, view: view)
                let frames = scene.truth().people[0].frames
                for index in stride(from: 6, to: scene.frameCount, by: 30) {
                    var request = DetectHumanRectanglesRequest()
                    request.upperBodyOnly = false
                    let found = try #require(try await request.perform(on: scene.bitmap(at: index)).first)
                    let box = try #require(frames[index].box)
                    let real = CGRect(x: box[0], y: box[1], width: box[2], height: box[3])
                        .intersection(CGRect(x: 0, y: 0, width: 1, height: 1))
                    let common = found.boundingBox.cgRect.intersection(real)
                    let area = common.isNull ? 0 : common.width * common.height
                    let whole = found.boundingBox.cgRect
                    overlaps.append(area / (whole.width * whole.height + real.width * real.height - area))
                }
            }
            print("rectangles: overlap with the outline's box \(overlaps.sorted())")
            #expect(overlaps.reduce(0, +) / Double(overlaps.count) > 0.8)
            let scene = scene(.squat, view: .front)
            let upper = try #require(try await DetectHumanRectanglesRequest().perform(on: scene.bitmap(at: 4)).first)
            let truth = scene.truth().people[0].frames[4]
            let (hip, ear) = (try #require(truth.keypoints["root"]), try #require(truth.keypoints["leftEar"]))
            #expect(upper.isUpperBodyOnly && abs(upper.boundingBox.cgRect.minY - hip.y) < 0.05)
            #expect(upper.boundingBox.cgRect.maxY > ear.y)
        }

        @Test func `a hand in a region of interest is in the region's coordinates`() async throws {
            let folder = try TemporaryFolder()
            let clip = folder.file("hand.mp4")
            try RenderedHand.write(.pinch, person: 0, to: clip)
            let frame = try ImageReader.read(contentsOf: clip)
            let whole = try #require(try await DetectHumanHandPoseRequest().perform(on: frame).first)
            var request = DetectHumanHandPoseRequest()
            request.regionOfInterest = NormalizedRect(x: 0.2, y: 0.05, width: 0.6, height: 0.95)
            let part = try #require(try await request.perform(on: frame).first)
            for name in [HumanHandPoseObservation.JointName.wrist, .indexMCP, .middleTip] {
                let (a, b) = (try #require(whole.joint(for: name)), try #require(part.joint(for: name)))
                let back = b.location.inFullImage(from: request.regionOfInterest)
                #expect(hypot(back.x - a.location.x, back.y - a.location.y) < 0.03, "\(name)")
                #expect(abs(b.location.x - a.location.x) + abs(b.location.y - a.location.y) > 0.005)
            }
        }
    }
}
