import KinemaMotion
import KinemaCounting
import Foundation
import KinemaCore
import Testing

/// What the camera moves is no movement of the body.
struct CameraMotionTests {
    /// What Documentation/lab/counting.md lists as worse since whole solutions are judged.
    private static let sinceSolutions: Comment = "worse since whole solutions are judged; Documentation/lab/counting.md"

    /// How a camera moves, as the background shows it.
    enum Camera: String, CaseIterable {
        case sways, bobs, zooms, turns, walks

        func motion(at time: Double) -> SimilarityTransform {
            let wave = sin(2 * .pi * 0.7 * time)
            let middle = SIMD2(0.9, 0.5)
            var motion = SimilarityTransform.identity
            var shift = SIMD2<Double>()
            switch self {
            case .sways: shift = SIMD2(0.012 * wave, 0)
            case .bobs: shift = SIMD2(0, 0.012 * wave)
            case .zooms: motion.linear = SIMD2(1 + 0.05 * wave, 0)
            case .turns: motion.linear = SIMD2(1, 0.03 * wave)
            case .walks: shift = SIMD2(0.01 * wave, 0.012 * sin(2 * .pi * 1.4 * time))
            }
            motion.shift = middle + shift - motion.applied(to: middle)
            return motion
        }
    }

    private static let aspectRatio = 16.0 / 9

    /// The count of a workout filmed by a camera; `seesBackground` says whether the background was measured.
    private func count(_ workout: Workout, _ camera: Camera?, seesBackground: Bool = true) -> Int {
        var counter = RepetitionCounter(aspectRatio: Self.aspectRatio)
        for (time, pose) in workout.frames {
            var seen = filmed(pose, camera, at: time)
            if !seesBackground { seen.cameraMotion = nil }
            _ = counter.append(seen, at: time)
        }
        _ = counter.finish()
        return counter.count
    }

    private func filmed(_ pose: Pose, _ camera: Camera?, at time: Double) -> Pose {
        let motion = camera?.motion(at: time) ?? .identity
        var seen = pose
        for (key, joint) in pose.keypoints {
            let moved = motion.applied(to: SIMD2(joint.location.x * Self.aspectRatio, joint.location.y))
            seen.keypoints[key]?.location = CGPoint(x: moved.x / Self.aspectRatio, y: moved.y)
        }
        seen.cameraMotion = motion
        return seen
    }

    private var workout: Workout {
        var workout = Workout()
        workout.figure.jitter = 0.002
        return workout
    }

    @Test(arguments: Camera.allCases)
    func `a person who stands before a moving camera does nothing`(camera: Camera) {
        #expect(count(workout.resting(15), camera) == 0)
    }

    @Test func `without the background some of that is counted`() {
        #expect(Camera.allCases.contains { count(workout.resting(15), $0, seesBackground: false) > 0 })
    }

    @Test(arguments: Camera.allCases, [Workout.Exercise.squat, .lateralRaise, .curl])
    func `exercise before a moving camera counts`(camera: Camera, exercise: Workout.Exercise) {
        let set = workout.resting(1).repeating(exercise, [2, 2.1, 1.9, 2.2, 2, 1.8]).resting(1)
        // A camera that bobs about as often as the arm moves may cost one.
        #expect((5...6).contains(count(set, camera)))
    }

    @Test func `rising on the toes before a background at rest counts`() {
        withKnownIssue(Self.sinceSolutions, isIntermittent: true) {
            let rises = workout.resting(1).doing(12) { share in
                var stance = StickFigure.Stance()
                stance.offset.1 = 0.07 * (1 - cos(2 * .pi * 6 * share)) / 2
                return stance
            }
            .resting(1)
            let still = count(rises, nil)
            #expect(still == 6 && count(rises, .sways) == still)
        }
    }

    @Test(arguments: Camera.allCases)
    func `the coach sees neither repetitions nor faults in it`(camera: Camera) {
        var coach = ExerciseCoach(aspectRatio: Self.aspectRatio)
        for (time, pose) in workout.resting(15).frames { coach.append(filmed(pose, camera, at: time), at: time) }
        coach.finish()
        #expect(coach.count == 0 && coach.exercise == nil)
    }

    @Test(arguments: Camera.allCases)
    func `a hand held open before it does not pinch`(camera: Camera) {
        var (drawing, noise) = (PinchDrawing(aspectRatio: Self.aspectRatio), Noise(3))
        var figure = HandFigure()
        figure.jitter = 0.02
        for frame in 0..<300 {
            let time = Double(frame) / 30
            let hand = filmed(figure.pose(.pinch(0.3), id: 1, noise: &noise), camera, at: time)
            _ = drawing.append([HumanHandPoseObservation(hand, chirality: .right)], at: time)
        }
        #expect(drawing.pinches.isEmpty)
    }
}
