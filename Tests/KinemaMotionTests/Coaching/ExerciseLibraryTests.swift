@testable import KinemaCounting
import Foundation
import KinemaCore
import Testing

extension Exercise {
    static let squat = builtIn("squat"), deadlift = builtIn("deadlift"), pushUp = builtIn("push_up")
    static let benchPress = builtIn("bench_press"), bicepCurl = builtIn("bicep_curl"), plank = builtIn("plank")
    static let frontRaise = builtIn("front_raise"), lateralRaise = builtIn("lateral_raise")

    private static func builtIn(_ name: String) -> Exercise {
        ExerciseLibrary.exercise(named: name) ?? Exercise(name: name, title: "", kind: .hold(minimum: 0), traits: [])
    }
}

struct ExerciseLibraryTests {
    @Test func `names are unique and every exercise says what it must show`() {
        let all = ExerciseLibrary.all
        #expect(all.count == 14 && Set(all.map(\.name)).count == all.count)
        for exercise in all {
            #expect(exercise.name.allSatisfy { $0.isLowercase || $0 == "_" })
            #expect(!exercise.title.isEmpty && !exercise.views.isEmpty && exercise.traits.count >= 4)
            #expect(!exercise.faults.isEmpty)
            // A tempo is the fault of no joint.
            for fault in exercise.faults {
                #expect(fault.joints.isEmpty == (fault.quantity == .duration) && fault.tolerance > 0)
            }
            for trait in exercise.traits { #expect(trait.tolerance > 0) }
        }
    }

    @Test func `every joint's angle says in which plane it lies, and no view reports a fault twice`() {
        let angles: [BodyMeasure] = [.knee, .hip, .elbow, .arm, .bodyLine]
        for exercise in ExerciseLibrary.all {
            for rule in exercise.faults {
                if case .measure(let measure, _) = rule.quantity, angles.contains(measure) {
                    #expect(rule.plane != nil, "\(exercise.name): \(rule.code)")
                }
            }
            for view in BodyView.allCases {
                let codes = exercise.faults.filter { $0.isShown(in: view) }.map(\.code)
                #expect(Set(codes).count == codes.count, "\(exercise.name) from \(view): \(codes)")
            }
        }
    }

    @Test(arguments: ExerciseLibrary.all.compactMap(\.motion))
    func `a movement's numbers make sense`(motion: ExerciseMotion) {
        let range = abs(motion.full - motion.rest)
        #expect(motion.minimumSwing > 0.2 * range && motion.minimumSwing < 0.6 * range)
        #expect(motion.duration.lowerBound >= 0.25 && motion.duration.upperBound <= 15)
        #expect((0.1...0.6).contains(motion.minimumConfidence))
    }

    @Test(arguments: [
        ("squat", "squat"), ("Push-Up", "push_up"), ("pushups", "push_up"), ("press up", "push_up"),
        ("bicepsCurl", "bicep_curl"), ("biceps_curl", "bicep_curl"), ("curls", "bicep_curl"),
        ("overhead press", "shoulder_press"), ("chin-up", "pull_up"), ("PLANK", "plank"),
    ])
    func `an exercise is found however it is spelled`(spelled: String, name: String) {
        #expect(ExerciseLibrary.exercise(named: spelled)?.name == name)
    }

    @Test(arguments: ["", "squid", "push"]) func `what is unknown is not found`(name: String) {
        #expect(ExerciseLibrary.exercise(named: name) == nil)
    }
}

/// What a rule says of readings whose elbows stand at one angle in space and at another in the picture.
struct FaultFinderTests {
    private let rule = FaultRule(
        code: .notLockedOut, joints: .elbows, phase: .rest, quantity: .measure(.elbow, .high), expected: 160,
        tolerance: 10, bound: .atLeast, views: Set(BodyView.allCases), plane: .sagittal)

    private func measured(_ rule: FaultRule, space: Float, picture: Float, from view: BodyView?, sure: [Float])
        -> Double?
    {
        let window = sure.enumerated().map { index, confidence in
            var reading = BodyReading(time: Double(index) / 30)
            reading.set(.elbow, space, inPicture: picture, confidence)
            return reading
        }
        return FaultFinder(rule: rule, window: window, duration: 1, view: view).fault(phase: "top")?.measured
    }

    private static let judgements: [(view: BodyView?, space: Float, picture: Float, expected: Double?)] = [
        (.side, 170, 130, 130), (.side, 130, 170, nil), (.diagonal, 130, 170, nil), (.diagonal, 170, 130, nil),
        (.diagonal, 130, 140, 140), (.front, 130, 130, nil), (nil, 130, 170, 130),
    ]

    @Test(arguments: judgements)
    func `an angle is judged in the picture face on, by both from between, and not along its plane`(
        view: BodyView?, space: Float, picture: Float, expected: Double?
    ) {
        let sure = [Float](repeating: 0.9, count: 10)
        #expect(measured(rule, space: space, picture: picture, from: view, sure: sure) == expected)
        var frontal = rule
        frontal.plane = .frontal
        let mirrored: BodyView? = view == .side ? .front : view == .front ? .side : view
        #expect(measured(frontal, space: space, picture: picture, from: mirrored, sure: sure) == expected)
    }

    @Test func `joints that are unsure in most frames are not judged`() {
        func found(_ sure: Int, of count: Int) -> Bool {
            let confidences = (0..<count).map { Float($0 < sure ? 1 : 0.1) }
            return measured(rule, space: 130, picture: 130, from: .side, sure: confidences) != nil
        }
        #expect(found(6, of: 10) && !found(4, of: 10) && !found(0, of: 10))
    }

    @Test(arguments: [(0.0, BodyView.front), (0.75, .diagonal), (1.5, .side)])
    func `without a depth the view is found by the widths of shoulders and hips`(yaw: Double, view: BodyView) throws {
        var (figure, noise) = (StickFigure(), Noise(1))
        figure.yaw = yaw
        let pose = figure.pose(.init(), noise: &noise)
        let flat = Pose(from: pose.keypoints, keypoints3D: [:], id: nil, confidence: 1)
        for pose in [pose, flat] {
            var reader = BodyReader(aspectRatio: figure.aspectRatio)
            let read = reader.read(pose, at: 0)
            let reading = try #require(read)
            #expect(BodyView(degrees: reading[.view]) == view, "\(reading[.view]) degrees")
        }
    }
}
