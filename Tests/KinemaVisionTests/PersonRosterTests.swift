import Foundation
import Testing

@testable import KinemaVision

/// People are drawn as columns of numbers: where each one's middle is in each frame, nil when unseen.
struct PersonRosterTests {
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

    /// Plays frames through a roster as the tracker does: followed people see what is nearest to their region.
    private func numbers(_ frames: [[Double]]) -> [[Int: Double]] {
        var roster = PersonRoster()
        return frames.enumerated().map { index, places in
            let time = Double(index) * Self.frameTime
            let sightings = roster.tracks.map { track -> PersonRoster.Sighting? in
                places.min { abs($0 - track.next.center.x) < abs($1 - track.next.center.x) }
                    .flatMap { abs($0 - track.next.center.x) < 120 ? .init(body: body(x: $0)) : nil }
            }
            roster.follow(sightings, at: time)
            for place in places where !roster.isFollowed(body(x: place)) {
                roster.welcome(.init(body: body(x: place)), at: time)
            }
            return Dictionary(uniqueKeysWithValues: roster.tracks.map { ($0.id, $0.body.middle.x) })
        }
    }

    @Test func twoPeopleWhoPassEachOtherKeepTheirNumbers() {
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

    @Test func someoneHiddenForASecondComesBackUnderTheSameNumber() {
        let frames = (0..<90).map { (30..<60).contains($0) ? [600.0] : [200.0, 600.0] }
        let seen = numbers(frames)
        #expect(Set(seen[0].keys) == Set(seen[89].keys))
        #expect(seen[45].count == 1)
        #expect(seen[0].first { $0.value < 400 }?.key == seen[89].first { $0.value < 400 }?.key)
    }

    @Test func somebodyElseFarAwayIsSomebodyNew() {
        let frames = (0..<60).map { $0 < 30 ? [100.0] : [1500.0] }
        let seen = numbers(frames)
        #expect(seen[0].keys.first != seen[59].keys.first)
    }

    @Test func twoTracksOnOneBodyBecomeOne() {
        let frames = (0..<40).map { $0 < 20 ? [300.0, 430.0] : [300.0] }
        #expect(numbers(frames)[39].count == 1)
    }
}
