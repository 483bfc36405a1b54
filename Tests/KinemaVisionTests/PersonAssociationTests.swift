@testable import KinemaPose
import Foundation
import KinemaCore
import KinemaSynth
import Testing

/// Detections made from the truth of rendered crowds: with noise, misses of people half hidden, and false ones.
struct PersonAssociationTests {
    private static let size = SIMD2(960.0, 540.0)

    /// A body found where the truth has one; joints that are hidden are doubtful and off their place.
    private func body(_ frame: Truth.Frame, _ random: inout RandomSource, score: Float) -> BodyLandmarks {
        let height = (frame.box?[3] ?? 0.3) * Self.size.y
        let bias = SIMD2(random.normal(), random.normal()) * height * 0.008
        var pose = Pose(from: [:])
        for (name, joint) in frame.keypoints.sorted(by: { $0.key < $1.key })
        where joint.visibility != .outOfPicture {
            let isHidden = joint.visibility == .occluded
            let spread = height * (isHidden ? 0.04 : 0.012)
            let place = SIMD2(joint.x, joint.y) * Self.size + bias + SIMD2(random.normal(), random.normal()) * spread
            let key = JointKey(rawValue: name)
            pose.keypoints[key] = JointPoint(
                key, location: CGPoint(x: place.x / Self.size.x, y: place.y / Self.size.y),
                confidence: isHidden ? 0.35 : 0.9)
        }
        pose.confidence = score
        return BodyLandmarks(pose, width: Int(Self.size.x), height: Int(Self.size.y))
    }

    /// Luma and colour differences of clothes: person 7 wears what person 0 does, and so on.
    private func look(_ person: Int, _ random: inout RandomSource) -> KinemaPose.Appearance {
        KinemaPose.Appearance(
            parts: [3, 3, 5, 5].map { part in
                let noise = SIMD3(Float(random.normal()), Float(random.normal()), Float(random.normal())) * 3
                let hue = 2 * Float.pi * Float((person % 7) * part % 7) / 7
                return SIMD3(110, 60 * cos(hue), 60 * sin(hue)) + noise
            })
    }

    /// Everyone as a model would find them in a frame.
    private func detections(
        _ truth: Truth, _ frame: Int, _ random: inout RandomSource
    ) -> [PersonTrackManager.Observation] {
        var found: [PersonTrackManager.Observation] = []
        for told in truth.people {
            let share = told.frames[frame].visibleShare ?? 0
            let isFound = random.chance(share < 0.15 ? 0.02 : share < 0.4 ? 0.35 : share < 0.7 ? 0.85 : 0.985)
            guard isFound else { continue }
            let score = Float(0.3 + 0.55 * share)
            found.append(
                .init(
                    body: body(told.frames[frame], &random, score: score),
                    appearance: share > 0.5 ? look(told.id, &random) : nil))
        }
        if random.chance(0.05), let any = truth.people.first {
            var false_ = body(any.frames[frame], &random, score: 0.2)
            let shift = SIMD2(random.number(in: -300...300), random.number(in: -100...100))
            false_.points = false_.points.map { $0 + shift }
            false_.middle += shift
            false_.rim += shift
            found.append(.init(body: false_))
        }
        return found
    }

    /// Follows a crowd and judges who was taken for whom.
    private func judge(_ scene: SynthScene, reset: Int? = nil) -> (judge: IdentityJudge, ids: Set<Int>) {
        let truth = scene.truth()
        var random = RandomSource(seed: 9)
        var manager = PersonTrackManager()
        var judge = IdentityJudge(reach: 0.06)
        var ids: Set<Int> = []
        for frame in 0..<scene.frameCount {
            if frame == reset { manager.resetAfterCut() }
            let time = scene.frameRate.seconds(atFrame: frame)
            manager.update(withDetections: detections(truth, frame, &random), at: time)
            var real: [Int: SIMD2<Double>] = [:]
            for person in truth.people where (person.frames[frame].visibleShare ?? 0) >= 0.4 {
                guard let root = person.frames[frame].keypoints["root"] else { continue }
                real[person.id] = SIMD2(root.x * Self.size.x, (1 - root.y) * Self.size.y) / Self.size.y
            }
            let found = manager.tracks.map { ($0.id, ($0.body.points[23] + $0.body.points[24]) / 2 / Self.size.y) }
            judge.judge(frame: frame, truth: real, found: Dictionary(uniqueKeysWithValues: found))
            ids.formUnion(manager.tracks.map(\.id))
        }
        return (judge, ids)
    }

    @Test(arguments: [3, 4, 5] as [UInt64]) func `ten people who hide one another keep their numbers`(seed: UInt64) {
        let scene = SynthScene.crowd(people: 10, seed: seed, seconds: 8)
        let (judge, ids) = judge(scene)
        #expect(judge.switches.count <= 8, "\(judge.switches)")
        #expect(ids.count <= 14, "\(ids.sorted())")
    }

    @Test func `people are known again by their clothes after a cut`() {
        let scene = SynthScene.crowd(people: 5, seed: 3, seconds: 4)
        let (judge, ids) = judge(scene, reset: 50)
        #expect(judge.switches.isEmpty && ids.count <= 6, "\(judge.switches) \(ids.sorted())")
    }

    @Test func `in a crowd people of low score begin tracks, alone they do not, and the least certain never`() {
        for (others, score, begins) in [(0, Float(0.22), false), (4, 0.14, false), (4, 0.22, true)] {
            var manager = PersonTrackManager()
            (manager.weights.strongScore, manager.weights.newcomerScore) = TopDownFinder.tracked
            let people = SynthScene.crowd(people: 5, seed: 3, seconds: 1).truth().people
            var random = RandomSource(seed: 1)
            let bodies = (0...others).map { body(people[$0].frames[0], &random, score: $0 < others ? 0.8 : score) }
            let numbers = manager.update(withDetections: bodies.map { .init(body: $0) }, at: 0)
            #expect((numbers[others] != nil) == begins, "\(others) \(score)")
        }
    }

    @Test func `a body of low score continues a track and begins none`() {
        var manager = PersonTrackManager()
        let frame = SynthScene.crowd(people: 2, seed: 3, seconds: 1).truth().people[0].frames[0]
        var random = RandomSource(seed: 1)
        let weak = body(frame, &random, score: 0.05)
        #expect(manager.update(withDetections: [.init(body: weak)], at: 0) == [nil])
        #expect(manager.tracks.isEmpty)
        let strong = body(frame, &random, score: 0.8)
        #expect(manager.update(withDetections: [.init(body: weak), .init(body: strong)], at: 0.04) == [nil, 1])
        #expect(manager.update(withDetections: [.init(body: weak)], at: 0.08) == [1])
        #expect(manager.tracks.map(\.id) == [1] && manager.lost.isEmpty)
    }
}
