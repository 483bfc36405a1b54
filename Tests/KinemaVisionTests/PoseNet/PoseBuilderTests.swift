@testable import KinemaPose
import Foundation
import KinemaCore
import Testing

/// Building poses from maps made by hand.
struct PoseBuilderTests {
    private let middle = SIMD2(150.3, 155.7)

    private func expect(
        _ pose: DecodedPose, at joints: [SIMD2<Double>], within limit: Double = 0.5,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (index, joint) in joints.enumerated() {
            guard let found = pose.joints[index] else {
                Issue.record("joint \(index) is missing", sourceLocation: sourceLocation)
                continue
            }
            #expect((found.position - joint).length < limit, "joint \(index)", sourceLocation: sourceLocation)
        }
    }

    @Test func `the defaults are the samples`() {
        let configuration = PoseBuilderConfiguration()
        #expect(configuration.algorithm == .multiple)
        #expect(configuration.jointConfidenceThreshold == 0.1 && configuration.poseConfidenceThreshold == 0.5)
        #expect(configuration.matchingJointDistance == 40 && configuration.localSearchRadius == 3)
        #expect(configuration.maxPoseCount == 15 && configuration.adjacentJointOffsetRefinementSteps == 3)
    }

    @Test func `one person comes out the same both ways`() throws {
        var maps = HandMadeMaps()
        let joints = HandMadeMaps.figure(at: middle)
        maps.place(joints)
        let builder = try maps.builder()
        let (single, all) = (builder.singlePose(), builder.multiplePoses())
        #expect(all.count == 1)
        expect(single, at: joints)
        expect(try #require(all.first), at: joints)
        #expect(abs(single.confidence - (try #require(all.first)).confidence) < 0.02)
    }

    @Test func `poses are normalised from the lower left with neck and root`() throws {
        var maps = HandMadeMaps(width: 21, height: 17)
        let joints = HandMadeMaps.figure(at: SIMD2(160, 128))
        maps.place(joints)
        let pose = try #require(maps.builder().poses.first)
        #expect(pose.keypoints.count == 19 && pose.id == nil && pose.keypoints3D.isEmpty)
        let (nose, root) = (try #require(pose.keypoints[.nose]), try #require(pose.keypoints[.root]))
        #expect(abs(nose.location.x - 160.0 / 321) < 1e-3 && abs(nose.location.y - (1 - 48.0 / 257)) < 1e-3)
        #expect(abs(root.location.x - 160.0 / 321) < 1e-3 && abs(root.location.y - (1 - 138.0 / 257)) < 1e-3)
        #expect(pose.keypoints[.neck].map { abs($0.location.y - (1 - 78.0 / 257)) < 1e-3 } == true)
        // The person's own left is at the picture's right.
        #expect((pose.keypoints[.leftWrist]?.location.x ?? 0) > nose.location.x)
    }

    @Test func `a single pose counts joints that are not valid as zero and is never dropped`() throws {
        var maps = HandMadeMaps()
        maps.set(0, 3, 4, to: 0.85)
        maps.set(5, 6, 7, to: 0.6)
        maps.set(7, 9, 9, to: 0.09)
        let pose = try maps.builder().singlePose()
        #expect(abs(pose.confidence - (0.85 + 0.6) / 17) < 1e-6)
        #expect(pose.joints[0] == .init(position: SIMD2(48, 64), confidence: 0.85, isValid: true))
        #expect(pose.joints[7]?.isValid == false)
        // Where nothing is above zero, the first cell it is.
        #expect(pose.joints[1] == .init(position: .zero, confidence: 0, isValid: false))
        #expect(try maps.builder().pose.confidence == pose.confidence)
        #expect(try HandMadeMaps().builder { $0.algorithm = .single }.decode().isEmpty)
        #expect(try maps.builder { $0.algorithm = .single }.decode() == [pose])
    }

    @Test(arguments: [PoseBuilderConfiguration.Algorithm.single, .multiple])
    func `a joint below the threshold is not valid in the pose, nor is a middle made of it`(
        algorithm: PoseBuilderConfiguration.Algorithm
    ) throws {
        var maps = HandMadeMaps()
        // The left shoulder and the right wrist.
        let confidences = (0..<17).map { Float($0 == 5 ? 0.001 : $0 == 10 ? 0.3 : 0.9) }
        maps.place(HandMadeMaps.figure(at: middle), confidences: confidences)
        for (threshold, isValid) in [(0.1, true), (0.5, false)] {
            let builder = try maps.builder {
                ($0.algorithm, $0.jointConfidenceThreshold, $0.poseConfidenceThreshold) = (algorithm, threshold, 0.2)
            }
            let pose = algorithm == .single ? builder.pose : try #require(builder.poses.first)
            #expect(!pose[.leftShoulder].isValid && !pose[.neck].isValid && pose[.rightShoulder].isValid)
            #expect(pose[.rightWrist].isValid == isValid && pose[.rightElbow].isValid)
        }
    }

    @Test func `a root moves by the offsets twice, its neighbours five times`() throws {
        var maps = HandMadeMaps()
        let joints = HandMadeMaps.figure(at: middle)
        maps.place(joints)
        // Offsets of four pixels to the left lead the nose ever farther.
        for y in 0..<20 { for x in 0..<20 { maps.setOffset(0, x, y, to: SIMD2(-4, 0)) } }
        for (root, cell, nose) in [(0, (9, 5), SIMD2(136.0, 80)), (11, (10, 10), joints[0] - SIMD2(20, 0))] {
            var maps = maps
            maps.set(root, cell.0, cell.1, to: 1)
            let builder = try maps.builder { $0.localSearchRadius = 20 }
            #expect(builder.candidateRoots().first?.joint == root)
            let found = try #require(builder.multiplePoses().first?.joints[0])
            #expect((found.position - nose).length < 0.5, "\(found.position)")
        }
    }

    @Test func `joints have their places in pixels of the image that was passed`() throws {
        var maps = HandMadeMaps(width: 21, height: 17)
        let joints = HandMadeMaps.figure(at: SIMD2(160, 128))
        maps.place(joints, confidences: (0..<17).map { $0 == 9 ? 0.001 : 0.9 })
        let image = Bitmap(width: 642, height: 771)
        let builder = try PoseBuilder(output: maps.output(), configuration: .init(), inputImage: image)
        for pose in [builder.pose, try #require(builder.poses.first)] {
            #expect(pose.imageSize == CGSize(width: 642, height: 771) && pose.joints.count == 17)
            let nose = try #require(pose.joints[.nose])
            // Twice as wide and three times as high as the model's input; the nose is at (160, 48) there.
            #expect(hypot(nose.position.x - 320, nose.position.y - 144) < 0.5 && nose.name == .nose)
            #expect(pose.joints.values.filter(\.isValid).count == 16 && pose.joints[.leftWrist]?.isValid == false)
            let sum = pose.joints.values.map(\.confidence).reduce(0, +)
            #expect(abs(sum / Double(Joint.numberOfJoints) - Double(pose.confidence)) < 1e-5)
        }
        #expect(try maps.builder().pose.joints[.nose]?.position.x ?? 0 < 1)
    }

    @Test func `one good joint leads to all others up and down`() throws {
        for root in [0, 4, 9, 11, 14, 16] {
            var maps = HandMadeMaps()
            let joints = HandMadeMaps.figure(at: middle)
            maps.place(joints, confidences: (0..<17).map { $0 == root ? 0.99 : 0.8 })
            let builder = try maps.builder { $0.localSearchRadius = 20 }
            #expect(builder.candidateRoots().first?.joint == root)
            let poses = builder.multiplePoses()
            #expect(poses.count == 1)
            expect(try #require(poses.first), at: joints)
        }
    }

    @Test func `refinement comes nearer step by step`() throws {
        // A single joint whose offsets, like a quantised map's, reach no farther than 10 pixels.
        var maps = HandMadeMaps()
        let goal = SIMD2(161.0, 150.0)
        for y in 0..<20 {
            for x in 0..<20 {
                let way = goal - SIMD2(Double(x), Double(y)) * 16
                maps.setOffset(0, x, y, to: way.clamped(lowerBound: SIMD2(-10, -10), upperBound: SIMD2(10, 10)))
            }
        }
        let distances = try (0...6).map { steps -> Double in
            let builder = try maps.builder { $0.adjacentJointOffsetRefinementSteps = steps }
            return (try #require(builder.joint(0, near: SIMD2(224, 150))).position - goal).length
        }
        #expect(abs(distances[0] - 43) < 1e-3 && abs(distances[2] - 23) < 1e-3, "\(distances)")
        #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 > $1 }, "\(distances)")
        #expect(distances[6] < 1.5, "\(distances)")
    }

    @Test func `a joint beyond the grid is held at its edge and valid only if it is likely there`() throws {
        var maps = HandMadeMaps()
        // Knees and ankles lie below the picture's last row, which is at 304.
        let joints = HandMadeMaps.figure(at: SIMD2(150, 280))
        maps.place(joints)
        let pose = try #require(maps.builder().multiplePoses().first)
        expect(pose, at: Array(joints[0...12]))
        // The knees are 21 pixels below the last row, where they are likely; the ankles are 56 pixels below it.
        for knee in 13...14 {
            let place = try #require(pose.validJoint(knee)).position
            #expect(place.y == 304 && abs(place.x - joints[knee].x) < 0.5)
        }
        for ankle in 15...16 {
            #expect(pose.joints[ankle]?.position.y == 304 && pose.joints[ankle]?.isValid == false)
        }
        let sum = (0..<17).reduce(0) { $0 + (pose.validJoint($1)?.confidence ?? 0) }
        #expect(abs(pose.confidence - sum / 17) < 1e-5 && sum > 9)
    }

    @Test func `a joint that is not valid is kept but leads nowhere`() throws {
        var maps = HandMadeMaps()
        let joints = HandMadeMaps.figure(at: middle)
        maps.place(joints, confidences: (0..<17).map { $0 == 7 ? 0.05 : 0.9 })
        // The wrist beyond the elbow is no root of its own here.
        let pose = try #require(maps.builder().multiplePoses().first)
        #expect(pose.joints[7]?.isValid == false && pose.validJoint(7) == nil)
        #expect(pose.joints[9] == nil)
        #expect(pose.joints[10]?.isValid == true)
    }

    @Test func `maps that are no numbers give nobody`() throws {
        let cells = 25
        let nan = [Float](repeating: .nan, count: cells * 34)
        let prediction = PoseNetPrediction(
            heatmap: Array(repeating: 0.9, count: cells * 17), offsets: nan,
            displacementFwd: Array(nan.prefix(cells * 32)),
            displacementBwd: Array(repeating: .infinity, count: cells * 32), gridWidth: 5, gridHeight: 5)
        let output = try PoseNetOutput(
            prediction: prediction, modelInputSize: CGSize(width: 65, height: 65), modelOutputStride: 16)
        let builder = try PoseBuilder(output: output)
        #expect(builder.poses.isEmpty && builder.pose.keypoints.isEmpty && builder.pose.confidence == 0)
    }

    @Test func `maps of another size than the grid are refused`() {
        let error = #expect(throws: KinemaError.self) {
            try PoseNetOutput(
                prediction: PoseNetPrediction(
                    heatmap: [0], offsets: [], displacementFwd: [], displacementBwd: [], gridWidth: 1, gridHeight: 1),
                modelInputSize: CGSize(width: 1, height: 1), modelOutputStride: 16)
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test(
        arguments: [
            { $0.jointConfidenceThreshold = 1.1 }, { $0.poseConfidenceThreshold = -0.1 },
            { $0.matchingJointDistance = .nan }, { $0.localSearchRadius = -1 }, { $0.maxPoseCount = 0 },
            { $0.adjacentJointOffsetRefinementSteps = -1 },
        ] as [@Sendable (inout PoseBuilderConfiguration) -> Void])
    func `configurations that make no sense are refused`(change: @Sendable (inout PoseBuilderConfiguration) -> Void) {
        let error = #expect(throws: KinemaError.self) { try HandMadeMaps().builder(change) }
        #expect(error?.code == .invalidArgument && error?.message.contains("must be") == true)
    }
}
