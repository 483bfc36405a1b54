@testable import KinemaSampling
@testable import KinemaPose
import Foundation
import Testing

/// When and where hands are looked for, frame by frame.
struct HandSearchScheduleTests {
    private let whole = Region(center: SIMD2(640, 360), side: 1280, angle: 0)
    private let wrists = [100.0, 200].map { Region(center: SIMD2($0, 300), side: 80, angle: 0) }

    /// What is looked at in frames at 30 a second: `W` the whole picture, `1` and `2` a wrist, `.` nothing.
    private func looks(
        _ schedule: inout HandSearchSchedule, frames: Range<Int>, people: Int = 1, wrists: [Region]? = nil,
        hasLost: Bool = false
    ) -> String {
        frames.map { frame in
            let places = schedule.parts(
                whole: whole, wrists: wrists ?? self.wrists, people: people, hasLost: hasLost, at: Double(frame) / 30)
            if places.isEmpty { return "." }
            return places.map { $0 == whole ? "W" : $0 == self.wrists[0] ? "1" : "2" }.joined()
        }.joined()
    }

    @Test func `people who show no hands are looked at in turn, three times a second`() {
        var schedule = HandSearchSchedule(interval: 0.1)
        #expect(
            looks(&schedule, frames: 0..<60)
                == "2.........1.........2.........W.........2.........1.........")
    }

    @Test func `after a loss every frame is searched, and while a hand is in view ten a second`() {
        var schedule = HandSearchSchedule(interval: 0.1)
        #expect(looks(&schedule, frames: 0..<3, hasLost: true) == "121212")
        #expect(looks(&schedule, frames: 3..<6, wrists: [], hasLost: true) == "WWW")
        schedule.saw(at: 0.19)
        // A second later it is taken to be gone.
        #expect(looks(&schedule, frames: 6..<46) == "2..1..2..W..2..1..2..W..2..1.........2..")
    }

    @Test func `two people are looked at twice as often, and a large one in the whole picture`() {
        var two = HandSearchSchedule(interval: 0.1)
        #expect(looks(&two, frames: 0..<11, people: 2) == "12.........12")
        var large = HandSearchSchedule(interval: 0.1)
        #expect(looks(&large, frames: 0..<21, wrists: []) == "W.........W.........W")
    }

    @Test func `where nobody is in view the whole picture is searched at the interval`() {
        var schedule = HandSearchSchedule(interval: 0.1)
        #expect(looks(&schedule, frames: 0..<7, people: 0, wrists: []) == "W..W..W")
    }

    @Test func `without bodies every frame after a loss is searched, else one in an interval`() {
        var schedule = HandSearchSchedule(interval: 0.1)
        let calm = (0..<7).map { schedule.takesWhole(at: Double($0) / 30, hasLost: false) }
        #expect(calm == [true, false, false, true, false, false, true])
        let lost = (7..<10).map { schedule.takesWhole(at: Double($0) / 30, hasLost: true) }
        #expect(lost == [true, true, true])
    }
}
