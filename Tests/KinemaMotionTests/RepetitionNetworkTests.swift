@testable import KinemaCounting
import Foundation
import KinemaCore
import Testing

struct RepetitionNetworkTests {
    /// Waves of thirteen joints, 15 frames a second, with a cut before the 41st.
    private func track() throws -> MovementTrack {
        var seen: [SeenBody] = []
        for index in 0..<90 {
            let time = Double(index) / 15
            let points = BodyJoints.keys.enumerated().map { joint, key in
                let (i, j) = (Double(index), Double(joint))
                let x = cos(0.7 * j) + 0.2 * sin(0.3 * i + j)
                let y = sin(0.9 * j) + 0.3 * cos(0.21 * i * (1 + Double(joint % 2)))
                return JointPoint(key, location: CGPoint(x: 0.2 * x, y: 0.2 * y), confidence: Float(0.5 + 0.03 * j))
            }
            let pose = Pose(from: Dictionary(points.map { ($0.key, $0) }) { first, _ in first })
            let joints = try #require(BodyJoints(pose, aspectRatio: 1))
            seen.append(SeenBody(joints, after: seen.last, isAfterCut: index == 40, at: time))
        }
        return try #require(MovementTrack(seen[...]))
    }

    /// The values are those of `features` in script/measure/counting_network.py, which the network was fitted with.
    @Test func `features are those that the network was fitted with`() throws {
        let features = LagFeatures(try track())
        #expect(
            features.lags.count == 45 * LagFeatures.channels && features.pose.count == 45 * LagFeatures.poseChannels)
        let lags: [(Int, Int, Float)] = [
            (0, 0, 1.5), (10, 5, 1.5), (20, 46, -0.0513), (30, 88, 0.5691), (40, 132, 0.2307), (44, 143, 1.5),
            (44, 33, 0.5),
        ]
        for (row, channel, value) in lags {
            #expect(abs(features.lags[row * LagFeatures.channels + channel] - value) < 2e-3, "\(row) \(channel)")
        }
        let pose: [(Int, Int, Float)] = [
            (15, 0, 0.2448), (22, 26, -0.1511), (31, 28, 0.1004), (20, 34, 0.65), (20, 42, 1),
        ]
        for (row, channel, value) in pose {
            #expect(abs(features.pose[row * LagFeatures.poseChannels + channel] - value) < 2e-3, "\(row) \(channel)")
        }
    }

    @Test func `the network counts squats nearly by itself, and rest not`() throws {
        func reading(_ workout: Workout) throws -> NetworkReading {
            let seen = workout.frames.compactMap { time, pose in
                BodyJoints(pose, aspectRatio: 16.0 / 9).map { SeenBody($0, after: nil, at: time) }
            }
            return CountingWeights.inUse.network.reading(try #require(MovementTrack(seen[...])))
        }
        var workout = Workout()
        workout.figure.jitter = 0.002
        workout.figure.yaw = 0.6
        let squats = try reading(workout.resting(1).repeating(.squat, [2, 2, 2, 2, 2, 2]).resting(1))
        #expect(abs(squats.count - 6) < 1.5, "\(squats.count)")
        #expect(squats.total.count == squats.density.count + 1 && squats.inside.allSatisfy { (0...1).contains($0) })
        #expect(try reading(workout.resting(8)).count < 0.5)
    }
}
