import KinemaCore
import Testing

@testable import KinemaSynth

struct CrowdTests {
    private static let settings = SynthScene.Settings(width: 320, height: 180, frameRate: FrameRate(timescale: 5))

    @Test(arguments: [5, 20]) func `people hide one another, leave and come back, and nobody walks through a body`(
        count: Int
    ) throws {
        let scene = SynthScene.crowd(people: count, seed: 3, settings: Self.settings)
        let truth = scene.truth()
        #expect(truth.people.map(\.id) == Array(0..<count) && truth.frameCount == 60)
        let hidden = truth.people.map { person in person.frames.map { $0.isHidden == true } }
        let shares = hidden.flatMap(\.self).count { $0 }
        #expect((0.01...0.4).contains(Double(shares) / Double(count * 60)), "\(shares)")
        // Whoever walks is out of the picture in some frames and in it before or after.
        let returns = truth.people.count { person in
            let inside = person.frames.map { frame in
                frame.keypoints["root"].map { (0...1).contains($0.x) } ?? false
            }
            return inside.contains(true) && inside.contains(false)
        }
        #expect(returns >= 1)
        #expect(truth.people.contains { $0.count > 0 }, "somebody exercises")
        for frame in stride(from: 0, to: 60, by: 5) {
            let places = scene.people.map { $0.performance.placement(at: scene.frameRate.seconds(atFrame: frame)) }
            for (index, place) in places.enumerated() {
                for other in places.prefix(index) {
                    #expect((place.position - other.position).level.length > 0.3, "frame \(frame)")
                }
            }
        }
    }

    @Test func `some wear the same clothes`() {
        let people = SynthScene.crowd(people: 20, seed: 3, settings: Self.settings).people
        let shirts = people.map { [$0.performance.body.appearance.shirt, $0.performance.body.appearance.trousers] }
        #expect(Set(shirts.map { "\($0)" }).count < people.count)
        #expect(Set(shirts.map { "\($0)" }).count > people.count / 2)
    }

    /// Two people behind one another, and one half outside the picture.
    private func scene(_ places: [Vector]) -> SynthScene {
        let people = places.enumerated().map { index, place in
            SynthScene.Person(
                id: index + 7, performance: Performance(body: Body(), placement: Placement(position: place)))
        }
        let camera = SynthCamera(position: Vector(0, 1, 6), target: Vector(0, 1, 0))
        return SynthScene(
            people: people, shots: [.init(start: 0, camera: camera)], backdrop: Backdrop(.studio, seed: 1),
            settings: Self.settings, duration: 0.2)
    }

    @Test func `what others hide and what is outside the picture cannot be seen`() throws {
        let frames = scene([Vector(0, 0, 1), Vector(0.02, 0, -1), Vector(1.2, 0, 0)]).truth().people.map {
            $0.frames[0]
        }
        let shares = try frames.map { try #require($0.visibleShare) }
        #expect(shares[0] == 1 && shares[1] < 0.1 && shares[2] == 1, "\(shares)")
        #expect(frames.map(\.isHidden) == [false, true, false])
        // The view is 6 m × tan 21° × 16/9 wide to each side.
        let edge = try #require(scene([Vector(4.095, 0, 0)]).truth().people[0].frames[0].visibleShare)
        #expect(abs(edge - 0.5) < 0.08, "\(edge)")
        #expect(scene([Vector(40, 0, 0)]).truth().people[0].frames[0].isHidden == true)
    }

    @Test func `the box is that of the whole outline, hidden or not`() throws {
        let alone = try #require(scene([Vector(0, 0, -1)]).truth().people[0].frames[0].box)
        let behind = try #require(scene([Vector(0, 0, 1), Vector(0, 0, -1)]).truth().people[1].frames[0].box)
        #expect(zip(alone, behind).allSatisfy { abs($0 - $1) < 0.01 })
        // 1.75 m at 7 m distance, in a view of 2 × 7 m × tan 21°.
        #expect(abs(alone[3] - 1.75 / (2 * 7 * 0.3839)) < 0.02 && abs(alone[0] + alone[2] / 2 - 0.5) < 0.01)
    }
}
