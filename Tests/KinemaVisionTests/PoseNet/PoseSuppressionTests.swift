@testable import KinemaPose
import Foundation
import KinemaCore
import Testing

/// Which joints a pose may start from, and how poses make room for each other.
struct PoseSuppressionTests {
    private func roots(_ maps: HandMadeMaps, radius: Int = 3) throws -> [PoseBuilder.Root] {
        try maps.builder { $0.localSearchRadius = radius }.candidateRoots()
    }

    /// The sample leaves out the centre's whole row and column; then both peaks of each pair would be roots.
    @Test(arguments: [(3, 0), (-3, 0), (0, 3), (0, -3), (1, 0), (0, 1), (2, 2), (-3, 3), (1, -2)])
    func `a lower peak near a higher one is no root in whatever direction`(dx: Int, dy: Int) throws {
        var maps = HandMadeMaps()
        maps.set(3, 10, 10, to: 0.8)
        maps.set(3, 10 + dx, 10 + dy, to: 0.5)
        let found = try roots(maps)
        #expect(found == [.init(joint: 3, cell: .init(x: 10, y: 10), confidence: 0.8)])
    }

    @Test(arguments: [(4, 0), (0, 4), (-4, 0), (4, 4), (4, 1)])
    func `a lower peak farther than the radius is a root`(dx: Int, dy: Int) throws {
        var maps = HandMadeMaps()
        maps.set(3, 10, 10, to: 0.8)
        maps.set(3, 10 + dx, 10 + dy, to: 0.5)
        #expect(try roots(maps).map(\.confidence) == [0.8, 0.5])
        #expect(try roots(maps, radius: 4).map(\.confidence) == [0.8])
    }

    @Test func `equal neighbours and other joints do not hide each other`() throws {
        var maps = HandMadeMaps()
        maps.set(3, 10, 10, to: 0.8)
        maps.set(3, 11, 10, to: 0.8)
        maps.set(4, 10, 10, to: 0.9)
        maps.set(5, 0, 0, to: 0.1)
        maps.set(6, 19, 19, to: 0.0999)
        let found = try roots(maps)
        #expect(found.map(\.joint) == [4, 3, 3, 5] && found.map(\.confidence) == [0.9, 0.8, 0.8, 0.1])
        #expect(found[1].cell.x == 10 && found[2].cell.x == 11, "equals in the order of the picture")
    }

    @Test func `radius zero takes every likely cell`() throws {
        var maps = HandMadeMaps()
        maps.place(HandMadeMaps.figure(at: SIMD2(150, 150)))
        let likely = maps.heatmap.count { $0 >= 0.1 }
        #expect(try roots(maps, radius: 0).count == likely && likely > 100)
        #expect(try maps.builder { $0.localSearchRadius = 0 }.multiplePoses().count == 1)
    }

    @Test func `two people side by side are two the surer first`() throws {
        var maps = HandMadeMaps(width: 30, height: 20)
        let (left, right) = (HandMadeMaps.figure(at: SIMD2(120, 150)), HandMadeMaps.figure(at: SIMD2(330, 160)))
        maps.place(left, confidences: Array(repeating: 0.7, count: 17))
        maps.place(right)
        let poses = try maps.builder().multiplePoses()
        try #require(poses.count == 2)
        #expect(poses[0].confidence > poses[1].confidence)
        for (pose, joints) in zip(poses, [right, left]) {
            for (joint, place) in zip(pose.joints, joints) {
                #expect(try #require(joint).isValid && (try #require(joint).position - place).length < 0.5)
            }
        }
        #expect(try maps.builder { $0.maxPoseCount = 1 }.multiplePoses().count == 1)
        #expect(try maps.builder { $0.poseConfidenceThreshold = 0.65 }.multiplePoses().count == 1)
    }

    @Test func `joints that another pose has count for one pose only`() throws {
        let builder = try HandMadeMaps().builder()
        var (one, other) = (DecodedPose(), DecodedPose())
        for index in 0..<17 {
            let place = SIMD2(Double(10 * index), 50)
            one.joints[index] = .init(position: place, confidence: 0.8, isValid: true)
            // Half of the other's joints are within 40 pixels, one just at that.
            let away = SIMD2(0.0, index < 8 ? 39 : index == 8 ? 40 : 41)
            other.joints[index] = .init(position: place + away, confidence: 0.6, isValid: true)
        }
        #expect(abs(builder.confidence(of: one, besides: []) - 0.8) < 1e-6)
        #expect(abs(builder.confidence(of: other, besides: [one]) - 0.6 * 8 / 17) < 1e-6)
        // A joint that is not valid takes nobody's place.
        for index in 0..<17 { one.joints[index]?.isValid = false }
        #expect(abs(builder.confidence(of: other, besides: [one]) - 0.6) < 1e-6)
    }

    @Test func `a root on an accepted pose builds no second`() throws {
        var maps = HandMadeMaps()
        let joints = HandMadeMaps.figure(at: SIMD2(150, 150))
        maps.place(joints)
        // A second, far peak for the nose, whose displacements lead to the same body.
        maps.set(0, 17, 17, to: 0.85)
        #expect(try maps.builder { $0.poseConfidenceThreshold = 0.2 }.multiplePoses().count == 1)
        #expect(try maps.builder { $0.poseConfidenceThreshold = 0.01 }.multiplePoses().count == 2)
    }
}
