import KinemaCore
import Testing

@testable import KinemaSynth

@Suite struct ArmatureTests {
    static let bones: [(JointKey, JointKey, @Sendable (Body) -> Double)] = [
        (.leftShoulder, .leftElbow, { $0.upperArm }), (.rightShoulder, .rightElbow, { $0.upperArm }),
        (.leftElbow, .leftWrist, { $0.forearm }), (.rightElbow, .rightWrist, { $0.forearm }),
        (.leftHip, .leftKnee, { $0.thigh }), (.rightHip, .rightKnee, { $0.thigh }),
        (.leftKnee, .leftAnkle, { $0.shank }), (.rightKnee, .rightAnkle, { $0.shank }),
    ]

    @Test(arguments: Movement.allCases) func `limbs keep their lengths throughout a movement`(movement: Movement) {
        var random = RandomSource(seed: 11)
        let body = Body.random(using: &random)
        for step in 0...20 {
            let posture = movement.posture(depth: Double(step) / 20, body: body)
            expectLimbs(of: Armature(body: body, posture: posture, placement: Placement(heading: 0.7)), fit: body)
        }
    }

    @Test(arguments: Activity.allCases) func `limbs keep their lengths throughout an activity`(activity: Activity) {
        let body = Body(height: 1.66, legs: 1.04)
        for step in 0...20 {
            let posture = activity.posture(time: Double(step) / 5, duration: 4, body: body)
            expectLimbs(of: Armature(body: body, posture: posture, placement: Placement()), fit: body)
        }
    }

    @Test func `limbs keep their lengths while one action passes into the next`() {
        var performance = Performance(body: Body())
        performance.add(.pickUp, seconds: 2)
        performance.add(.wave, seconds: 2)
        performance.repeatOnce(.squat, seconds: 2)
        performance.walk(to: Vector(2, 0, 1))
        performance.add(.sit, seconds: 4)
        for step in 0...200 {
            expectLimbs(of: performance.armature(at: performance.duration * Double(step) / 200), fit: performance.body)
        }
    }

    @Test func `nothing jumps from one frame to the next`() {
        var performance = Performance(body: Body())
        performance.add(.idle, seconds: 1)
        for depth in [1, 0.3, 0.7] { performance.repeatOnce(.jumpingJack, seconds: 1, depth: depth) }
        performance.add(.talk, seconds: 1.5)
        performance.walk(to: Vector(2, 0, 0))
        performance.add(.pickUp, seconds: 2)
        let step = 1.0 / 120
        for frame in 1..<Int(performance.duration * 120) {
            let before = performance.armature(at: Double(frame - 1) * step)
            let after = performance.armature(at: Double(frame) * step)
            for key in SynthScene.joints {
                // 12 m/s is faster than any hand here; a jump would be more.
                #expect((after[key] - before[key]).length < 0.1, "\(key.rawValue) at \(Double(frame) * step) s")
            }
        }
    }

    @Test func `standing people stand on the floor and are as tall as they should be`() {
        let body = Body(height: 1.8)
        let armature = Armature(body: body, posture: .standing(body), placement: Placement())
        #expect(abs(armature[.leftHeel].y) < 0.03)
        #expect(abs(armature[.leftAnkle].y - body.ankleHeight) < 1e-9)
        // Eyes at 0.936 of the height (Drillis and Contini).
        #expect(abs(armature[.leftEye].y / body.height - 0.936) < 0.02)
        // Someone who faces the front has the left side at the viewer's right.
        #expect(armature[.leftShoulder].x > 0.15 && armature[.rightShoulder].x < -0.15)
        #expect(armature[.nose].z > 0.08)
    }

    @Test(arguments: [Movement.squat, .jumpingJack, .bicepsCurl]) func `the feet stay on the floor`(movement: Movement)
    {
        let body = Body()
        for depth in [0.0, 1] {
            let posture = movement.posture(depth: depth, body: body)
            let armature = Armature(body: body, posture: posture, placement: Placement())
            #expect(abs(armature[.leftAnkle].y - body.ankleHeight) < 1e-6)
            #expect(abs(armature[.rightAnkle].y - body.ankleHeight) < 1e-6)
        }
    }

    @Test func `a push up keeps hands and toes in place and the body straight`() {
        let body = Body()
        let postures = (0...10).map { Movement.pushUp.posture(depth: Double($0) / 10, body: body) }
        let armatures = postures.map { Armature(body: body, posture: $0, placement: Placement()) }
        for armature in armatures {
            #expect((armature[.leftWrist] - armatures[0][.leftWrist]).length < 0.01)
            #expect((armature[.leftAnkle] - armatures[0][.leftAnkle]).length < 1e-6)
            let middle = (armature[.neck] + (armature[.leftAnkle] + armature[.rightAnkle]) / 2) / 2
            #expect((armature.root - middle).length < 0.2)
        }
        #expect(armatures[10][.neck].y < 0.45 * armatures[0][.neck].y)
    }

    private func expectLimbs(of armature: Armature, fit body: Body) {
        for (from, to, length) in ArmatureTests.bones {
            #expect(abs((armature[from] - armature[to]).length - length(body)) < 1e-6, "\(from.rawValue)")
        }
    }
}
