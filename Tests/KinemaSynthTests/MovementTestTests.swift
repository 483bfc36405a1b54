import KinemaCore
import Testing

@testable import KinemaSynth

@Suite struct MovementTestTests {
    private static let small = SynthScene.Settings(width: 320, height: 180, frameRate: FrameRate(timescale: 30))

    private func scene(_ name: String, seed: UInt64) throws -> SynthScene {
        try #require(SynthScene.measured(name, seed: seed, settings: Self.small))
    }

    @Test(arguments: ["walk", "run"], 1...6 as ClosedRange<UInt64>)
    func `a foot turns about a point that stays in place while it is on the floor`(name: String, seed: UInt64) throws {
        let scene = try scene(name, seed: seed)
        let performance = scene.people[0].performance
        guard case .gait(let stride, let seconds) = scene.test else {
            Issue.record("no gait")
            return
        }
        for (isLeft, heel, tip) in [
            (true, JointKey.leftHeel, JointKey.leftFootTip), (false, .rightHeel, .rightFootTip),
        ] {
            for index in 0..<Int(seconds / stride.period) {
                let start = stride.contact(index, isLeft: isLeft).time
                let end = min(stride.toeOff(index, isLeft: isLeft), seconds)
                var last = performance.armature(at: start)
                for step in 1...50 {
                    let now = performance.armature(at: start + (end - start) * Double(step) / 50)
                    let slid = min((now[heel] - last[heel]).length, (now[tip] - last[tip]).length)
                    #expect(slid < 1e-6, "\(name) \(seed): \(slid) m at \(step)")
                    last = now
                }
            }
        }
    }

    @Test(arguments: ["walk", "run"]) func `steps are as long as the heels are apart at contact`(name: String) throws {
        let scene = try scene(name, seed: 2)
        let truth = try #require(scene.measurementTruth())
        let performance = scene.people[0].performance
        #expect(truth.steps.count >= 3)
        for step in truth.steps {
            let own = step.side == "left" ? JointKey.leftHeel : .rightHeel
            let other = step.side == "left" ? JointKey.rightHeel : .leftHeel
            let length =
                performance.armature(at: step.end)[own].z - performance.armature(at: step.start)[other].z
            #expect(abs(length - step.length) < 1e-6)
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `a jump is a parabola of its height`(seed: UInt64) throws {
        let scene = try scene("jump", seed: seed)
        let performance = scene.people[0].performance
        for jump in try #require(scene.measurementTruth()).jumps {
            let time = jump.landing - jump.takeOff
            #expect(abs(BallisticFlight.gravity * time * time / 8 - jump.height) < 1e-9)
            let before = performance.armature(at: jump.takeOff)
            let apex = performance.armature(at: jump.takeOff + time / 2)
            #expect(abs(apex.root.y - before.root.y - jump.height) < 1e-6)
            // The tips of the feet are on the floor up to take-off and from landing on, and above it between.
            let level = 0.011 * performance.body.height
            for (moment, lift) in [(jump.takeOff, 0), (jump.landing, 0), (jump.takeOff + time / 2, jump.height)] {
                let tip = performance.armature(at: moment)[.leftFootTip].y
                #expect(abs(tip - level - lift) < 1e-6, "\(moment)")
            }
        }
    }

    @Test func `a person sits still on the stool and stands upright at the times of a rise`() throws {
        let scene = try scene("sit-to-stand", seed: 3)
        let performance = scene.people[0].performance
        let rises = try #require(scene.measurementTruth()).rises
        #expect(rises.count == 5)
        for rise in rises {
            let heights = [rise.start, rise.standing, rise.sinking, rise.seated].map {
                performance.armature(at: $0).root.y
            }
            #expect(heights[0] == heights[3] && heights[1] == heights[2] && heights[1] > heights[0] + 0.2)
            #expect(performance.armature(at: rise.start + 0.05).root.y > heights[0])
        }
    }

    @Test func `a joint reaches the angle of its range`() throws {
        let scene = try scene("range-of-motion", seed: 4)
        guard case .ranges(let ranges, let isLeft) = scene.test else {
            Issue.record("no ranges")
            return
        }
        let performance = scene.people[0].performance
        for (index, range) in ranges.enumerated() where [.elbow, .knee].contains(range.joint) {
            let body = performance.armature(at: 0.3 + (Double(index) + 0.5) * MovementTest.Range.seconds)
            let keys: [JointKey] =
                range.joint == .elbow
                ? (isLeft ? [.leftShoulder, .leftElbow, .leftWrist] : [.rightShoulder, .rightElbow, .rightWrist])
                : (isLeft ? [.leftHip, .leftKnee, .leftAnkle] : [.rightHip, .rightKnee, .rightAnkle])
            let cosine = (body[keys[1]] - body[keys[0]]).unit.dot((body[keys[2]] - body[keys[1]]).unit)
            #expect(abs(cosine - KinemaSynth.cosine(range.far)) < 0.01, "\(range.joint)")
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `the floor rises as the camera rolls, and the person is as tall as the scale says`(seed: UInt64) throws {
        let scene = try scene("rest", seed: seed)
        let truth = try #require(scene.measurementTruth())
        let roll = scene.shots[0].camera.roll * 180 / .pi
        #expect(abs(truth.floorAngle - roll) < 0.6)
        let body = scene.people[0].performance.armature(at: 0)
        let crown = body.headCenter + Vector(0, 0.0645 * scene.people[0].performance.body.height, 0)
        let (top, bottom) = (scene.projection(at: 0).normalized(crown), scene.projection(at: 0).normalized(.zero))
        let (x, y) = try (#require(top).x - #require(bottom).x, #require(top).y - #require(bottom).y)
        let height = (x * x * (320.0 / 180) * (320.0 / 180) + y * y).squareRoot() * truth.metresPerUnit
        #expect(abs(height - truth.height) < 0.02 * truth.height)
    }

    @Test func `a camera that hardly rolls sees what a level one sees`() throws {
        var level = try scene("walk", seed: 5)
        level.shots[0].camera.roll = 0
        var rolled = level
        rolled.shots[0].camera.roll = 1e-9
        let (one, other) = (level.bitmap(at: 10).pixels, rolled.bitmap(at: 10).pixels)
        let different = zip(one, other).count { abs(Int($0) - Int($1)) > 2 }
        #expect(different < one.count / 2000)
    }

}
