@testable import KinemaSampling
@testable import KinemaPose
import Foundation
import Testing

/// People are drawn as columns of numbers: where each one's middle is in each frame, nil when unseen.
struct PersonTrackManagerTests {
    private static let frameTime = 1.0 / 30

    private func body(x: Double, size: Double = 100, y: Double = 300) -> BodyLandmarks {
        let middle = SIMD2(x, y)
        return BodyLandmarks(
            region: Region(center: middle, side: size * 2.5, angle: 0), presence: 0.99,
            points: (0..<33).map { middle + SIMD2(Double($0 % 7) * size / 10, Double($0 / 7) * size / 5) },
            visibility: [Float](repeating: 0.9, count: 33), pointPresence: [Float](repeating: 0.9, count: 33),
            world: [SIMD3<Float>](repeating: .zero, count: 33), score: 0.99, middle: middle,
            rim: middle - SIMD2(0, size))
    }

    /// Runs frames through a track manager like the tracker does: each track observes the body nearest to its region.
    private func numbers(_ frames: [[Double]]) -> [[Int: Double]] {
        var manager = PersonTrackManager()
        return frames.enumerated().map { index, positions in
            let time = Double(index) * Self.frameTime
            let observations = manager.tracks.map { track -> PersonTrackManager.Observation? in
                let expected = track.nextRegion.center.x
                return positions.min { abs($0 - expected) < abs($1 - expected) }
                    .flatMap { abs($0 - expected) < 120 ? .init(body: body(x: $0)) : nil }
            }
            manager.update(with: observations, at: time)
            for x in positions where !manager.isTracked(body(x: x)) {
                manager.add(.init(body: body(x: x)), at: time)
            }
            return Dictionary(uniqueKeysWithValues: manager.tracks.map { ($0.id, $0.body.middle.x) })
        }
    }

    @Test func `two people who pass each other keep their numbers`() {
        // One walks right and one left at 150 pixels a second; while closer than 40 pixels only one is seen.
        let frames = (0..<120).map { frame -> [Double] in
            let (a, b) = (100 + Double(frame) * 5, 700 - Double(frame) * 5)
            return abs(a - b) < 40 ? [a] : [a, b]
        }
        let seen = numbers(frames)
        let first = seen[0].sorted { $0.value < $1.value }.map(\.key)
        let last = seen[119].sorted { $0.value < $1.value }.map(\.key)
        #expect(first.count == 2)
        #expect(last == first.reversed())
    }

    @Test func `someone hidden for a second comes back under the same number`() {
        let frames = (0..<90).map { (30..<60).contains($0) ? [600.0] : [200.0, 600.0] }
        let seen = numbers(frames)
        #expect(Set(seen[0].keys) == Set(seen[89].keys))
        #expect(seen[45].count == 1)
        #expect(seen[0].first { $0.value < 400 }?.key == seen[89].first { $0.value < 400 }?.key)
    }

    @Test func `somebody else far away is somebody new`() {
        let frames = (0..<60).map { $0 < 30 ? [100.0] : [1500.0] }
        let seen = numbers(frames)
        #expect(seen[0].keys.first != seen[59].keys.first)
    }

    /// Who is there after a cut: at the same place or another, in clothes that differ by levels of colour.
    @Test(arguments: [
        (x: 300.0, levels: Float(0), isSame: true), (300, 14, true), (900, 0, true), (900, 8, true), (300, 40, false),
        (900, 30, false), (900, 60, false),
    ])
    func `after a cut clothes and place tell the same person from another`(
        x: Double, levels: Float, isSame: Bool
    ) {
        func seen(_ x: Double, _ levels: Float) -> PersonTrackManager.Observation {
            .init(body: body(x: x), appearance: Appearance(parts: Array(repeating: SIMD3(110, levels, 0), count: 4)))
        }
        var manager = PersonTrackManager()
        manager.add(seen(300, 0), at: 0)
        var detected = manager
        var followed = manager
        manager.resetAfterCut()
        manager.add(seen(x, levels), at: Self.frameTime)
        #expect(manager.tracks.map(\.id) == [isSame ? 1 : 2])
        // The same where a model finds everyone, and where the person is followed on because nobody was found at once.
        detected.resetAfterCut()
        detected.update(withDetections: [seen(x, levels)], at: Self.frameTime)
        #expect(detected.tracks.map(\.id) == [isSame ? 1 : 2])
        followed.markCut()
        followed.update(with: [seen(x, levels)], at: Self.frameTime)
        #expect(followed.tracks.map(\.id) == [isSame ? 1 : 2])
    }

    @Test func `after several cuts a person is known by the clothes of an earlier shot`() {
        var manager = PersonTrackManager()
        for (shot, levels) in [Float(0), 24, -10].enumerated() {
            manager.resetAfterCut()
            let appearance = Appearance(parts: Array(repeating: SIMD3(110, levels, 0), count: 4))
            manager.add(.init(body: body(x: 300), appearance: appearance), at: Double(shot) * Self.frameTime)
            #expect(manager.tracks.map(\.id) == [1], "shot \(shot)")
        }
    }

    @Test func `a body that lies the other way in somebody's place is that person misread`() throws {
        var manager = PersonTrackManager()
        manager.add(.init(body: body(x: 300)), at: 0)
        func turned(x: Double, size: Double = 100) -> BodyLandmarks {
            var turned = body(x: x, size: size)
            turned.points = turned.points.map { 2 * turned.middle - $0 + SIMD2(60, 80) * size / 100 }
            turned.rim = turned.middle + SIMD2(0, size)
            return turned
        }
        #expect(manager.conflictingTrack(with: turned(x: 300))?.id == 1)
        #expect(manager.conflictingTrack(with: body(x: 310)) == nil, "the same way up")
        #expect(manager.conflictingTrack(with: turned(x: 420)) == nil, "beside the other")
        #expect(manager.conflictingTrack(with: turned(x: 300, size: 30)) == nil, "much smaller")
        manager.correct(1, with: turned(x: 300))
        #expect(manager.tracks.map(\.id) == [1] && manager.tracks.first?.body.rim == SIMD2(300, 400))
    }

    @Test func `two tracks on one body become one`() {
        let frames = (0..<40).map { $0 < 20 ? [300.0, 430.0] : [300.0] }
        #expect(numbers(frames)[39].count == 1)
    }
}

/// The parts searched are drawn as rows of letters: w for a wide part, c for a close-up.
struct PartScheduleTests {
    private let size = SIMD2(1280.0, 720.0)

    private func row(_ parts: [PartSchedule.Part]) -> String { parts.map { $0.isCloseUp ? "c" : "w" }.joined() }

    @Test func `the wide parts are searched at first and after a cut, close-ups where they show nobody`() {
        var schedule = PartSchedule(includesCloseUps: true)
        #expect(row(schedule.parts(of: size, at: 0, isAnyoneInView: false)) == "www")
        #expect(row(schedule.closeUps(of: size)) == "cccccccc")
        #expect(schedule.isSweeping)
        schedule.restart()
        #expect(row(schedule.parts(of: size, at: 0.2, isAnyoneInView: true)) == "www")
    }

    @Test(arguments: [5.0, 10, 24, 30, 60], [true, false])
    func `every part has its turn in the first half second, and in each while nobody is in view`(
        rate: Double, isAnyoneInView: Bool
    ) {
        var schedule = PartSchedule(includesCloseUps: true)
        let all = schedule.parts(of: size, at: 0, isAnyoneInView: false) + schedule.closeUps(of: size)
        var seen: [PartSchedule.Part] = []
        for frame in 1...Int((0.5 * rate).rounded(.up)) where schedule.isSweeping || !isAnyoneInView {
            let parts = schedule.parts(of: size, at: Double(frame) / rate, isAnyoneInView: isAnyoneInView)
            if rate >= 24 { #expect(parts.count == 1, "at ordinary rates no frame takes more than one") }
            seen += parts
        }
        #expect(all.allSatisfy { seen.contains($0) }, "\(row(seen))")
        #expect(!schedule.isSweeping)
    }

    @Test func `with somebody in view a later search takes one wide part and one close-up, in turns`() {
        var schedule = PartSchedule(includesCloseUps: true)
        let all = schedule.parts(of: size, at: 0, isAnyoneInView: true) + schedule.closeUps(of: size)
        _ = schedule.parts(of: size, at: 0.5, isAnyoneInView: true)
        let searches = (2...9).map { schedule.parts(of: size, at: Double($0) / 2, isAnyoneInView: true) }
        #expect(searches.allSatisfy { row($0) == "wc" })
        #expect(all.allSatisfy(searches.flatMap(\.self).contains))
        var wide = PartSchedule(includesCloseUps: false)
        #expect(row(wide.parts(of: size, at: 0, isAnyoneInView: true)) == "www" && wide.closeUps(of: size).isEmpty)
        #expect(row(wide.parts(of: size, at: 0.5, isAnyoneInView: true)) == "www")
        #expect(row(wide.parts(of: size, at: 1, isAnyoneInView: true)) == "w")
    }

    @Test func `tracks are checked in turn, and one that is doubtful three times in a row shows nobody`() {
        var checks = TrackChecks()
        var refuted: [Int] = []
        var checked: [Int] = []
        for frame in 0..<300 {
            guard let id = checks.next(of: [1, 2, 3], at: Double(frame) / 30) else { continue }
            checked.append(id)
            // The second track has one good check between its doubtful ones, the third has none.
            let isDoubtful = id == 3 || id == 2 && checked.count { $0 == 2 } != 2
            if checks.isRefuted(id, isDoubtful: isDoubtful) { refuted.append(id) }
            if refuted.count == 1 { break }
        }
        #expect(checked == [1, 2, 2, 3, 3, 3])
        #expect(refuted == [3])
    }

    @Test func `a turned picture is searched once a second, half a second after the last person`() {
        var schedule = TurnedSearchSchedule()
        let isAnyoneInView = { (time: Double) in (1.0..<2).contains(time) || (4.0..<4.2).contains(time) }
        let times = (0..<120).map { Double($0) / 20 }.filter {
            schedule.isDue(at: $0, isAnyoneInView: isAnyoneInView($0))
        }
        #expect(times == [0.5, 2.5, 3.5, 4.7, 5.7])
    }

    @Test func `a place that came to nothing is left alone for half a second, unless the detector is surer`() {
        func detection(_ score: Float, x: Double = 100) -> AnchorDetection {
            AnchorDetection(
                score: score, box: SIMD4(0, 0, 1, 1),
                keypoints: [SIMD2(x, 100), SIMD2(x, 60), SIMD2(x, 90), SIMD2(x, 70)])
        }
        var rejected = RejectedRegions()
        rejected.insert(detection(0.6), at: 1)
        #expect(rejected.contains(detection(0.6), at: 1.4) && rejected.contains(detection(0.65, x: 105), at: 1.4))
        #expect(!rejected.contains(detection(0.75), at: 1.4) && !rejected.contains(detection(0.6), at: 1.6))
        #expect(!rejected.contains(detection(0.6, x: 160), at: 1.4))
        var turned = detection(0.6)
        turned.keypoints[1] = SIMD2(100, 140)
        #expect(!rejected.contains(turned, at: 1.4), "upside down it is another body")
    }

    @Test func `a close-up is for people who fit into it`() {
        let part = PartSchedule.Part(region: Region(center: size / 2, side: 500, angle: 0), isCloseUp: true)
        #expect(part.accepts(Region(center: size / 2, side: 400, angle: 0)))
        #expect(!part.accepts(Region(center: size / 2, side: 600, angle: 0)))
        #expect(!part.accepts(Region(center: size / 2 + SIMD2(260, 0), side: 400, angle: 0)))
    }
}
