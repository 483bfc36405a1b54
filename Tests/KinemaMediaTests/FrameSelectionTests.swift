import Foundation
import KinemaCore
import Testing

@testable import KinemaMedia

@Suite struct FrameSelectionTests {
    private static func stream(_ rate: Double, isConstant: Bool = true, isLive: Bool = false) -> StreamDescription {
        StreamDescription(
            width: 4, height: 4, frameRate: rate, hasConstantRate: isConstant, timescale: 90_000, duration: 10,
            expectedFrameCount: nil, isLive: isLive, keyTimes: nil)
    }

    private static func taken(_ selection: FrameSelection, _ stream: StreamDescription, _ starts: [Double]) -> [Int] {
        var step = FrameStep(selection, stream)
        let ticks = starts.map { Int(($0 * 90_000).rounded()) }
        return zip(ticks, ticks.dropFirst()).enumerated().compactMap { index, times in
            step.takes(TemporalSegmentIdentifier(source: "", range: times.0..<times.1, timescale: 90_000)) ? index : nil
        }
    }

    @Test(arguments: [
        (10.0, 1), (15, 1), (20, 1), (22, 1), (24, 2), (25, 2), (29.97, 2), (30, 2), (50, 3), (60, 4), (120, 8),
        (240, 16),
    ]) func `about fifteen frames a second are analysed`(rate: Double, step: Int) {
        #expect(FrameStep(.perSecond(15), Self.stream(rate)).factor == step)
        let starts = (0...240).map { Double($0) / rate }
        #expect(Self.taken(.perSecond(15), Self.stream(rate), starts) == Array(stride(from: 0, to: 240, by: step)))
    }

    @Test func `times rounded to milliseconds do not change the step`() {
        let starts = (0...3_000).map { (Double($0) * 1_001 / 30).rounded() / 1_000 }
        #expect(
            Self.taken(.every(3), Self.stream(30_000.0 / 1_001), starts) == Array(stride(from: 0, to: 3_000, by: 3)))
    }

    @Test func `frames of uneven times are chosen by time, and every Nth by number`() {
        // Half a second at 60 frames a second, then at 10.
        let quick = (0..<30).map { Double($0) / 60 }, slow = (0...10).map { 0.5 + Double($0) / 10 }
        let starts = quick + slow
        let uneven = Self.stream(0, isConstant: false)
        #expect(Self.taken(.perSecond(15), uneven, starts) == [0, 4, 8, 12, 16, 20, 24, 28] + Array(30..<40))
        #expect(Self.taken(.every(7), uneven, starts) == [0, 7, 14, 21, 28, 35])
        #expect(!FrameStep(.every(7), uneven).isPositional && FrameStep(.every(7), Self.stream(30)).isPositional)
    }

    @Test func `a stream that stops or begins again is followed at the same rate`() {
        let before = (0..<40).map { Double($0) / 30 }, after = (0...40).map { 60 + Double($0) / 30 }
        let starts = before + after
        let found = Self.taken(.perSecond(15), Self.stream(30, isLive: true), starts)
        #expect(found == Array(stride(from: 0, to: 80, by: 2)))
    }

    @Test func `readers of a film select the same frames wherever they begin, and each lasts until the next`()
        async throws
    {
        let clips = try Clips()
        let url = try clips.make("fast.mp4", "-f lavfi -i testsrc2=s=160x120:r=60 -t 4 -c:v libx264 -g 60 -bf 2")
        let frames = try await VideoReader.read(.file(url), isolation: .none, selection: .perSecond(15))
        #expect(frames.canBeParted && frames.nominalFrameRate == 15 && frames.expectedFrameCount == 60)
        var whole: [Range<Int>] = []
        for try await element in frames { whole.append(element.id.range) }
        #expect(whole.count == 60 && zip(whole, whole.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(Double(whole.last?.upperBound ?? 0) == 4 * Double(frames.timescale))
        for begin in [0.0, 1.01, 3.3] {
            let parted = try await VideoReader.read(.file(url), isolation: .none, selection: .perSecond(15))
            let part = try parted.part(from: begin, isStrict: true, isReported: false)
            var found: [Range<Int>] = []
            while let frame = try part.next() { found.append(frame.id.range) }
            // A part may begin with a frame that the whole lets last from before.
            let first = (begin * Double(frames.timescale)).rounded()
            #expect(found.filter { Double($0.lowerBound) >= first } == whole.filter { Double($0.lowerBound) >= first })
        }
        let all = try await VideoReader.read(.file(url), isolation: .none, selection: .every(4), keepsSkipped: true)
        var step = all.step
        var (count, analysed) = (0, 0)
        for try await element in all {
            count += 1
            if step.takes(element.id) { analysed += 1 }
        }
        #expect(all.keepsSkipped && count == 240 && analysed == 60 && all.nominalFrameRate == 60)
    }
}
