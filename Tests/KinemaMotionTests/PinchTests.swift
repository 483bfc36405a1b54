@testable import KinemaMotion
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

struct PinchTests {
    /// How well the pinches found agree with those made: F1 of closings within three frames, or within a time.
    private func agreement(_ streams: [PinchStream], rule: PinchRule, within time: TimeInterval? = nil) -> Double {
        var (right, found, made) = (0, 0, 0)
        for stream in streams {
            var left = pinches(in: stream, rule: rule).map(\.start)
            found += left.count
            made += stream.closings.count
            for closing in stream.closings {
                guard let best = left.indices.min(by: { abs(left[$0] - closing) < abs(left[$1] - closing) }),
                    abs(left[best] - closing) <= (time ?? 3 / stream.rate) + 1e-6
                else { continue }
                left.remove(at: best)
                right += 1
            }
        }
        return 2 * Double(right) / Double(found + made)
    }

    private func pinches(in stream: PinchStream, rule: PinchRule) -> [Pinch] {
        var drawing = PinchDrawing(rule: rule, aspectRatio: 16.0 / 9)
        for (time, hand) in stream.frames {
            drawing.append(hand.map { [HumanHandPoseObservation($0, chirality: .right)] } ?? [], at: time)
        }
        return drawing.pinches
    }

    @Test(arguments: Sweep.of([0, 0.03, 0.05], or: [0.03]))
    func `pinches are told from near pinches fists and flat hands`(jitter: Double) {
        let streams = (0..<(Sweep.isFull ? 40 : 20)).map { PinchStream(seed: $0, jitter: jitter, dropouts: 0.08) }
        #expect(streams.reduce(0) { $0 + $1.closings.count } > 5 * streams.count)
        #expect(agreement(streams, rule: .strict) >= 0.98)
        #expect(agreement(streams, rule: .scored, within: 0.1) >= 0.95)
    }

    @Test func `the sample rule takes fists for pinches`() {
        // The reason for the strict rule: if this fails, the streams hold no fists worth the name.
        let streams = (0..<10).map { PinchStream(seed: $0, jitter: 0.02) }
        #expect(agreement(streams, rule: .sample()) < 0.95)
    }

    @Test func `distance from the camera changes nothing`() {
        for scale in [0.03, 0.1, 0.5] {
            var figure = HandFigure()
            figure.scale = scale
            var noise = Noise(1)
            let shape = HandShape(figure.pose(.pinch(1), id: 1, noise: &noise), aspectRatio: figure.aspectRatio)
            #expect(abs((shape?.gap ?? 0) - HandFigure.gap(.pinch(1))) < 1e-3)
        }
    }

    @Test func `a hand without its tips has no shape`() {
        var noise = Noise(1)
        var pose = HandFigure().pose(.pinch(1), id: 1, noise: &noise)
        pose.keypoints[.thumbTip]?.confidence = 0.3
        #expect(HandShape(pose, aspectRatio: 1) == nil)
        pose.keypoints[.thumbTip] = nil
        #expect(HandShape(pose, aspectRatio: 1) == nil)
    }

    private func shape(_ gap: Double, reach: Double = 0.65) -> HandShape {
        HandShape(
            thumbTip: .zero, indexTip: .zero, gap: gap, reach: reach, length: 0.1, pictureGap: gap, spatialGap: gap,
            stretch: 0)
    }

    /// The states a row of gaps leads to, one frame a thirtieth of a second.
    private func states(_ gaps: [Double], reach: Double = 0.65) -> [HandGestureProcessor.State] {
        var processor = StrictPinchProcessor()
        return gaps.enumerated().map { processor.process(shape($1, reach: reach), at: Double($0) / 30) }
    }

    @Test func `evidence must last two frames either way`() {
        #expect(
            states([0.8, 0.2, 0.8, 0.2, 0.2, 0.8, 0.2, 0.8, 0.8])
                == [
                    .apart, .possiblePinch, .apart, .possiblePinch, .pinched, .possibleApart, .pinched, .possibleApart,
                    .apart,
                ])
    }

    @Test func `between together and apart nothing changes`() {
        #expect(states([0.8, 0.39, 0.2, 0.2, 0.39, 0.39, 0.39]).suffix(3).allSatisfy { $0 == .pinched })
        #expect(states([0.8, 0.39, 0.39, 0.39]).last == .apart)
    }

    @Test func `tips at the palm never pinch`() {
        #expect(states([0.8, 0.02, 0.02, 0.02], reach: 0.36).last == .apart)
    }

    @Test func `a hand that was never open does not pinch`() {
        #expect(states([0.2, 0.2, 0.2, 0.2]).last == .unknown)
    }

    @Test func `evidence counts in seconds not in frames`() {
        var processor = StrictPinchProcessor()
        processor.process(shape(0.8), at: 0)
        let fast = (1...4).map { processor.process(shape(0.2), at: Double($0) / 120) }
        #expect(fast == [.possiblePinch, .possiblePinch, .possiblePinch, .possiblePinch])
        #expect(processor.process(shape(0.2), at: 5.0 / 120) == .pinched)
    }

    @Test func `after two seconds away everything is forgotten`() {
        var processor = StrictPinchProcessor()
        processor.process(shape(0.8), at: 0)
        processor.process(shape(0.2), at: 0.1)
        #expect(processor.process(shape(0.2), at: 0.2) == .pinched)
        #expect(processor.process(shape(0.2), at: 2.1) == .pinched)
        #expect(processor.process(shape(0.2), at: 4.2) == .unknown)
    }
}
