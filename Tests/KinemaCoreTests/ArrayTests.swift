import Foundation
import KinemaCore
import Testing

struct ArrayTests {
    private let array = ShapedArray(scalars: 0..<12, shape: [6, 2])

    @Test func `the last dimension runs fastest`() {
        #expect(array[scalarAt: 2, 1] == 5)
        #expect(array[1..<3] == ShapedArray(scalars: [2, 3, 4, 5], shape: [2, 2]))
    }

    @Test(arguments: [(3, 1, [0, 2, 4, 6]), (2, 3, [0, 6]), (6, 4, [0]), (7, 1, [])])
    func `as many full windows as fit`(length: Int, stride: Int, firsts: [Int]) throws {
        let windows = try SlidingWindows(input: array, length: length, stride: stride)
        #expect(windows.map { $0.scalars[0] } == firsts)
        #expect(windows.allSatisfy { $0.shape == [length, 2] })
        #expect(windows.reversed().map { $0.scalars[0] } == firsts.reversed())
    }

    @Test func `windows without length or stride are refused`() {
        #expect(throws: KinemaError.self) { try SlidingWindows(input: array, length: 0) }
        #expect(throws: KinemaError.self) { try SlidingWindows(input: array, length: 1, stride: 0) }
        #expect(throws: KinemaError.self) {
            try SlidingWindows(input: ShapedArray(scalars: [1], shape: []), length: 1)
        }
    }

    @Test func `a pose becomes rows of x, y and confidence in OpenPose's order`() throws {
        let wrist = JointPoint(.leftWrist, location: CGPoint(x: 0.25, y: 0.75), confidence: 0.5)
        let pose = Pose(from: [.leftWrist: wrist])
        let array = pose.keypointsArray()
        #expect(array.shape == [1, 3, 18])
        #expect([0, 1, 2].map { array[scalarAt: 0, $0, 7] } == [0.25, 0.75, 0.5])
        #expect(array.scalars.count { $0 != 0 } == 3)
        #expect(try Pose(HumanBodyPoseObservation(pose)) == pose)
        #expect(Set(Pose.arrayJoints).count == 18 && !Pose.arrayJoints.contains(.root))
    }

    @Test func `a file's stretch survives coding`() throws {
        let segment = TemporalFileSegment(url: URL(filePath: "/videos/squats.mp4"), range: 1.5..<4)
        let data = try JSONEncoder().encode(segment)
        #expect(try JSONDecoder().decode(TemporalFileSegment.self, from: data) == segment)
    }
}
