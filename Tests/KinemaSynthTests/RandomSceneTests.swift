import KinemaCore
import Testing

@testable import KinemaSynth

@Suite struct RandomSceneTests {
    static let seeds: ClosedRange<UInt64> = 0...199

    @Test func `two hundred seeds vary everything`() {
        let scenes = Self.seeds.map { SynthScene.random(seed: $0) }
        let repetitions = scenes.map { scene in scene.people.flatMap { scene.repetitions(of: $0) } }
        let exercises = Set(repetitions.flatMap { $0.map(\.exercise) })
        #expect(exercises == Set(Movement.ofRandomScenes.map(\.rawValue)))
        let tempos = repetitions.flatMap { $0.map { $0.end - $0.start } }
        #expect((tempos.min() ?? 9) < 0.65 && (tempos.max() ?? 0) > 4.5 && (tempos.max() ?? 9) <= 6)
        let rates = Set(scenes.map { $0.frameRate.perSecond.rounded() })
        #expect(rates.isSuperset(of: [15, 24, 30, 60]))
        #expect(scenes.contains { $0.title != nil } && scenes.contains { $0.shots.count > 1 })
        #expect(repetitions.contains { $0.contains { !$0.isCounted } })
        // A pause: a second or more between one repetition and the next.
        #expect(repetitions.contains { zip($0, $0.dropFirst()).contains { $1.start - $0.end > 1 } })
        #expect(
            Set(scenes.map(\.size.width)).count > 2
                && Set(scenes.map { $0.people[0].performance.body.height }).count > 150)
        // Enough of a set to be one, short enough to be analysed.
        #expect(scenes.allSatisfy { $0.count >= 3 || $0.people.isEmpty })
        #expect(scenes.allSatisfy { $0.duration < 40 })
    }

    @Test func `under a title card nobody is seen and its end is a cut`() throws {
        let scene = try #require(Self.seeds.lazy.map { SynthScene.random(seed: $0) }.first { $0.title != nil })
        let title = try #require(scene.title)
        let truth = scene.truth()
        #expect(truth.cuts.first == title.seconds)
        let frames = truth.people[0].frames
        let first = try #require(frames.firstIndex { !$0.keypoints.isEmpty })
        #expect(abs(scene.frameRate.seconds(atFrame: first) - title.seconds) <= 1 / scene.frameRate.perSecond)
        let card = scene.bitmap(at: 0)
        #expect(
            card.width == scene.size.width && card == scene.bitmap(at: first - 1) && card != scene.bitmap(at: first))
    }

    @Test func `nobody exercises in everyday scenes that last six to twenty seconds`() {
        var kinds: Set<String> = []
        for seed in 0...49 as ClosedRange<UInt64> {
            let scene = SynthScene.withoutExercise(seed: seed)
            #expect(scene.count == 0 && (6...20).contains(scene.duration), "\(seed): \(scene.duration)")
            var activities: [Activity] = []
            for segment in scene.people[0].performance.segments {
                switch segment.action {
                case .activity(let activity):
                    kinds.insert(activity.rawValue)
                    activities.append(activity)
                case .walk: kinds.insert("walk")
                case .turn: kinds.insert("turn")
                case .rest, .repetition, .swing, .test: Issue.record("an exercise in \(seed)")
                }
            }
            // Often enough to be a set of repetitions would be one.
            #expect(activities.count { $0 == .sit } <= 2 && activities.count { $0 == .pickUp } <= 2)
        }
        #expect(kinds == ["walk", "turn", "talk", "wave", "idle", "sit", "pickUp"])
    }

    @Test func `the same seed gives the same picture`() {
        for scene in [SynthScene.random(seed: 3), .withoutExercise(seed: 3)] {
            let again = scene.title == nil && scene.count == 0 ? SynthScene.withoutExercise(seed: 3) : .random(seed: 3)
            #expect(scene.frameCount == again.frameCount && scene.bitmap(at: 20) == again.bitmap(at: 20))
        }
    }
}
