@testable import KinemaImaging
import Foundation
import KinemaCore
import Testing

/// Balls, hands and noise as tables of numbers; a ball of 0.1 m in a view 6 m wide unless told otherwise.
@Suite struct FlightTrackerTests {
    static let metre = 1 / 6.0
    static let radius = 0.1 / 6

    /// A ball's places: thrown from (0.1, 0.2) widths, metres a second, y up.
    static func ball(
        at time: Double, from start: SIMD2<Double> = SIMD2(0.1, 0.2), speed: SIMD2<Double>, released: Double = 0
    ) -> MovingObject {
        let t = time - released
        let way = (speed * t + SIMD2(0, -9.80665 * t * t / 2)) * metre
        return MovingObject(position: start + way, radius: radius, deviation: 0.0005)
    }

    /// The flights of the last frame in which any was seen, and all that were ever told.
    static func flights(
        frameRate: Double = 30, seconds: Double, _ objects: (Double) -> [MovingObject]
    ) -> [Flight] {
        var tracker = FlightTracker(aspectRatio: 16.0 / 9)
        var known: [UUID: Flight] = [:]
        for frame in 0..<Int(seconds * frameRate) {
            let time = Double(frame) / frameRate
            for flight in tracker.append(objects(time), at: time) { known[flight.id] = flight }
        }
        return known.values.sorted { $0.start < $1.start }
    }

    @Test(arguments: [15.0, 25, 30, 60, 120]) func `a thrown ball is one flight at any frame rate`(frameRate: Double)
        throws
    {
        let flights = Self.flights(frameRate: frameRate, seconds: 0.8) { [Self.ball(at: $0, speed: SIMD2(5, 4))] }
        let sure = flights.filter { $0.confidence > 0.9 }
        #expect(sure.count == 1)
        let flight = try #require(sure.first)
        #expect(flight.points.count == Int(0.8 * frameRate))
        #expect(abs(flight.fit.acceleration.y / (-9.80665 * Self.metre) - 1) < 0.01)
        let speed = flight.fit.velocity.x - flight.fit.acceleration.x * flight.fit.origin
        #expect(abs(speed / (5 * Self.metre) - 1) < 0.01)
    }

    @Test func `a flight keeps its identity`() {
        var tracker = FlightTracker(aspectRatio: 16.0 / 9)
        var identities: Set<UUID> = []
        for frame in 0..<24 {
            let time = Double(frame) / 30
            tracker.append([Self.ball(at: time, speed: SIMD2(-5, 4))], at: time).forEach { identities.insert($0.id) }
        }
        #expect(identities.count == 1)
    }

    @Test func `a bounce begins another flight`() {
        // Falls 1.2 m in half a second, and comes up again.
        let flights = Self.flights(seconds: 1) { time in
            let down = Self.ball(at: min(time, 0.5), from: SIMD2(0.1, 0.3), speed: SIMD2(4, 0))
            guard time > 0.5 else { return [down] }
            return [Self.ball(at: time, from: down.position, speed: SIMD2(3.4, 3.7), released: 0.5)]
        }
        let sure = flights.filter { $0.confidence > 0.9 }
        #expect(sure.count == 2)
        #expect(abs((sure.first?.end ?? 0) - 0.5) < 0.04)
        #expect(abs((sure.last?.start ?? 0) - 0.5) < 0.04)
    }

    @Test func `balls that cross keep apart`() {
        let flights = Self.flights(seconds: 0.7) { time in
            [
                Self.ball(at: time, speed: SIMD2(6, 3)),
                Self.ball(at: time, from: SIMD2(0.85, 0.22), speed: SIMD2(-6, 3.2)),
            ]
        }
        let sure = flights.filter { $0.confidence > 0.9 }
        #expect(sure.count == 2)
        #expect(sure.contains { $0.fit.velocity.x > 0 } && sure.contains { $0.fit.velocity.x < 0 })
    }

    @Test func `a ball that is hidden for a tenth of a second is followed`() {
        let flights = Self.flights(seconds: 0.8) { time in
            (0.3...0.4).contains(time) ? [] : [Self.ball(at: time, speed: SIMD2(5, 4))]
        }
        #expect(flights.filter { $0.confidence > 0.9 }.count == 1)
    }

    @Test func `a ball that passes behind somebody is one flight`() {
        let flights = Self.flights(seconds: 0.9) { time in
            (0.3...0.6).contains(time) ? [] : [Self.ball(at: time, speed: SIMD2(5, 4.4))]
        }
        let sure = flights.filter { $0.confidence > 0.9 }
        #expect(sure.count == 1)
        #expect(sure.first.map { $0.start < 0.01 && $0.end > 0.85 } == true)
    }

    @Test func `two sides of a ball that are seen apart are reported as one flight`() {
        // The whole of it shows from the tenth of a second on.
        let flights = Self.flights(seconds: 0.8) { time in
            let ball = Self.ball(at: time, speed: SIMD2(5, 4))
            let sides = [SIMD2(-0.4, 0.4), SIMD2(0.4, -0.4)].map { side in
                MovingObject(position: ball.position + side * Self.radius, radius: Self.radius / 2, deviation: 0.0005)
            }
            return time < 0.2 ? sides : sides + [ball]
        }
        #expect(flights.filter { $0.confidence > 0.9 }.count == 1)
    }

    @Test func `what moves straight or swings is no flight`() {
        let straight = Self.flights(seconds: 1) { time in
            [MovingObject(position: SIMD2(0.1 + 0.6 * time, 0.3), radius: Self.radius, deviation: 0.0005)]
        }
        #expect(straight.allSatisfy { $0.confidence < 0.5 })
        // A hand on an arm of 0.6 m, up and down in 1.2 s.
        let swing = Self.flights(seconds: 3) { time in
            let angle = 1.4 * sin(2 * Double.pi * time / 1.2)
            let place = SIMD2(0.5, 0.3) + SIMD2(cos(angle), sin(angle)) * 0.6 * Self.metre
            return [MovingObject(position: place, radius: 0.05 * Self.metre, deviation: 0.0005, isolation: 0.5)]
        }
        #expect(swing.allSatisfy { $0.confidence < 0.9 })
    }

    @Test func `random places are no flight`() {
        var state: UInt64 = 7
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24)
        }
        let flights = Self.flights(seconds: 6) { _ in
            (0..<12).map { _ in
                MovingObject(position: SIMD2(random(), 0.5625 * random()), radius: Self.radius, deviation: 0.0005)
            }
        }
        #expect(flights.allSatisfy { $0.confidence < 0.5 })
    }

    @Test func `a ball that leaves the picture above and comes back is one flight`() throws {
        let flights = Self.flights(seconds: 1.6) { time in
            let ball = Self.ball(at: time, from: SIMD2(0.1, 0.3), speed: SIMD2(2, 7))
            return ball.position.y < 0.5625 ? [ball] : []
        }
        let sure = flights.filter { $0.confidence > 0.9 }
        #expect(sure.count == 1)
        let flight = try #require(sure.first)
        #expect(flight.start < 0.05 && flight.end > 1.3)
        #expect(abs(flight.fit.acceleration.y / (-9.80665 * Self.metre) - 1) < 0.01)
    }

    @Test func `a ball that crosses the picture in six frames is a flight`() throws {
        // A table tennis ball of 2 cm in a view 2 m wide, 9 m/s.
        let flights = Self.flights(seconds: 0.2) { time in
            let way = SIMD2(9 * time, 0.5 * time - 9.80665 * time * time / 2) / 2
            return [MovingObject(position: SIMD2(0.05, 0.3) + way, radius: 0.01, deviation: 0.001)]
        }
        #expect(try #require(flights.first).points.count == 6)
        #expect(try #require(flights.first).confidence > 0.9)
    }

    @Test func `letters that fade in are no flight`() {
        // Where they stand, a falling thing could have been: one of them at every time.
        let places = (0..<8).map { index in
            Self.ball(at: Double(index) / 30, speed: SIMD2(5, 1))
        }
        let sure = Self.flights(seconds: 0.5) { time in time < 0.1 ? [] : places }
        #expect(sure.allSatisfy { $0.confidence < 0.9 })
    }

    @Test func `time stamps count not frames`() throws {
        // Frames come unevenly: every third is missing.
        var tracker = FlightTracker(aspectRatio: 16.0 / 9)
        var last: Flight?
        for frame in 0..<36 where frame % 3 != 1 {
            let time = Double(frame) / 40
            last = tracker.append([Self.ball(at: time, speed: SIMD2(5, 4))], at: time).first ?? last
        }
        let flight = try #require(last)
        #expect(flight.confidence > 0.9)
        #expect(abs(flight.fit.acceleration.y / (-9.80665 * Self.metre) - 1) < 0.01)
    }

    @Test func `observations are normalised and no longer than asked for`() throws {
        let flight = try #require(
            Self.flights(seconds: 0.8) { [Self.ball(at: $0, speed: SIMD2(5, 4))] }.first)
        let seen = flight.observation(length: 7, aspectRatio: 16.0 / 9)
        #expect(seen.detectedPoints.count == 7 && seen.projectedPoints.count == 7 && seen.detectedTimes.count == 7)
        // y = 0.2 + (4 / 5) (x - 0.1) - g / (2 · 5²) · 6 m (x - 0.1)² in widths, times 16/9.
        let curve = PathParabola(a: -9.80665 * 6 / 50, b: 0, c: 0)
        let expected = (0.2 + 0.8 * 0.3 + curve(0.3)) * 16 / 9
        let c = seen.equationCoefficients
        #expect(abs(Double(c.x) * 0.16 + Double(c.y) * 0.4 + Double(c.z) - expected) < 0.002)
        #expect(abs(Double(c.x) / (curve.a * 16 / 9) - 1) < 0.01)
        #expect(seen.uuid == flight.id)
        #expect(abs((seen.timeRange?.start.seconds ?? 0) - flight.start) < 1e-8)
    }
}

/// Recordings that were converted to a higher frame rate.
struct FrameClockTests {
    /// When the frames of a camera of 24 frames a second are shown at 30, and which of them are shown for the first time.
    private let shown = (0..<90).map { index in
        let (number, last) = (index * 24 / 30, (index - 1) * 24 / 30)
        return (time: Double(index) / 30, number: number, isRepeated: index > 0 && number == last)
    }

    @Test func `frames that are repeated were taken at even times`() throws {
        var clock = FrameClock()
        var errors: [Double] = []
        for frame in shown {
            let even = clock.evenTime(of: frame.time, isRepeated: frame.isRepeated)
            #expect((even == nil) == frame.isRepeated)
            guard let time = even else { continue }
            errors.append(time - Double(frame.number) / 24)
        }
        // All are late by the same, and not by up to a frame; the line settles within half a second.
        let settled = errors.dropFirst(15)
        #expect(try #require(settled.max()) - #require(settled.min()) < 0.008)
        let late = shown.filter { !$0.isRepeated }.map { $0.time - Double($0.number) / 24 }
        #expect(try #require(late.max()) - #require(late.min()) > 0.024)
    }

    @Test func `times that are even but for their rounding stay as they are`() {
        var clock = FrameClock()
        for time in [0, 0.033, 0.067, 0.1, 0.134, 0.166, 0.2] {
            let even = clock.evenTime(of: time, isRepeated: false)
            #expect(even == time)
        }
    }

    @Test func `a picture with an encoders traces is a repetition and one with a moved ball is not`() {
        func picture(ball: Int, grain: Int) -> PlanePicture {
            let pixels = (0..<60 * 40).map { index -> UInt8 in
                let (x, y) = (index % 60, index / 60)
                let isBall = abs(x - ball) < 2 && abs(y - 20) < 2
                let noise = (x * 7 + y * 13 + grain * 31) % 5
                return UInt8((isBall ? 220 : 90) + noise)
            }
            return PlanePicture(width: 60, height: 40, pixels: pixels)
        }
        var finder = RepeatedFrameFinder()
        for frame in 0..<6 {
            let repeats = finder.repeats(picture(ball: 5 + 4 * frame, grain: frame), at: Double(frame) / 30)
            #expect(!repeats)
        }
        let (again, moved) = (
            finder.repeats(picture(ball: 25, grain: 5), at: 6 / 30.0),
            finder.repeats(picture(ball: 29, grain: 5), at: 7 / 30.0)
        )
        #expect(again && !moved)
        // A scene at rest, whose frames differ no less than those before, is none.
        var still = RepeatedFrameFinder()
        for frame in 0..<6 {
            let repeats = still.repeats(picture(ball: 5, grain: frame), at: Double(frame) / 30)
            #expect(!repeats)
        }
    }
}
