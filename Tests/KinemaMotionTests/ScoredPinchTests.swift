@testable import KinemaMotion
import Foundation
import KinemaCore
import Testing

struct ScoredPinchTests {
    /// The pinches of a hand that does something at each time; nil where it is out of view.
    private func drawing(
        rate: Double, seconds: Double, figure: HandFigure = HandFigure(),
        configuration: ScoredPinchProcessor.Configuration = .init(), _ posture: (Double) -> HandFigure.Posture?
    ) -> (pinches: [Pinch], evidence: [PinchEvidence]) {
        var drawing = PinchDrawing(aspectRatio: figure.aspectRatio)
        drawing.configuration = configuration
        var noise = Noise(1)
        var evidence: [PinchEvidence] = []
        for frame in 0..<Int(seconds * rate) {
            let time = Double(frame) / rate
            let hands = posture(time).map {
                [HumanHandPoseObservation(figure.pose($0, id: 1, noise: &noise), chirality: .right)]
            }
            evidence += drawing.append(hands ?? [], at: time).compactMap(\.evidence)
        }
        return (drawing.pinches, evidence)
    }

    @Test(arguments: [15.0, 20, 24, 30, 60])
    func `taps of four a second are told apart`(rate: Double) {
        // Together for 70 ms of 250: at 15 frames a second, one frame.
        let taps = drawing(rate: rate, seconds: 4) { time in
            let phase = (time * 4).truncatingRemainder(dividingBy: 1)
            return .pinch(phase < 0.36 ? phase / 0.36 : phase < 0.64 ? 1 : (1 - phase) / 0.36)
        }
        #expect((15...16).contains(taps.pinches.count))
    }

    @Test func `a clip that begins with a pinch draws`() {
        let pinches = drawing(rate: 30, seconds: 2) { .pinch($0 < 1 ? 1 : 0) }.pinches
        #expect(pinches.count == 1 && pinches.first?.start == 0)
        #expect(abs((pinches.first?.end ?? 0) - 1) < 0.1)
    }

    @Test func `a hand that is held together for long stays pinched`() {
        let pinches = drawing(rate: 30, seconds: 22) { .pinch($0 < 1 || $0 > 21 ? 0 : 1) }.pinches
        #expect(pinches.count == 1)
        #expect(abs((pinches.first?.end ?? 0) - 21) < 0.2)
    }

    @Test func `a short loss of the hand ends no pinch and a long one does`() {
        func pinches(lost: ClosedRange<Double>) -> Int {
            drawing(rate: 30, seconds: 8) { lost.contains($0) ? nil : .pinch($0 < 1 || $0 > 7 ? 0 : 1) }.pinches.count
        }
        #expect(pinches(lost: 2...3) == 1)
        #expect(pinches(lost: 2...5) == 2)
    }

    @Test func `fists and flat hands do not pinch and say why`() {
        var streak = HandFigure()
        streak.turn = SIMD3(0.3, 0.2, 0.4)
        let fists = drawing(rate: 30, seconds: 4, figure: streak) { Int($0 * 2) % 2 == 0 ? .pinch(0) : .fist }
        #expect(fists.pinches.isEmpty)
        let refusals = fists.evidence.compactMap(\.refusal)
        #expect(refusals.count > 30 && refusals.count { $0 == .reach } > refusals.count * 9 / 10)
        let flat = drawing(rate: 30, seconds: 4, figure: streak) { Int($0 * 2) % 2 == 0 ? .pinch(0) : .flat }
        #expect(flat.pinches.isEmpty)
    }

    @Test func `one frame of touch at sixty a second is too brief`() {
        let glimpse = drawing(rate: 60, seconds: 1) { abs($0 - 0.5) < 0.005 ? .pinch(1) : .pinch(0) }
        #expect(glimpse.pinches.isEmpty)
        #expect(glimpse.evidence.compactMap(\.refusal) == [.brief])
    }

    @Test func `tips one behind the other do not touch`() {
        // What the camera sees of an open hand from the side: the tips meet in the picture, and are apart in depth.
        func evidence(spatialGap: Double, stretch: Double) -> PinchEvidence? {
            let shape = HandShape(
                thumbTip: .zero, indexTip: .zero, gap: 0.1, reach: 0.65, length: 0.1, pictureGap: 0.1,
                spatialGap: spatialGap, stretch: stretch)
            var processor = ScoredPinchProcessor()
            processor.process(shape, at: 0)
            return processor.evidence
        }
        let touching = evidence(spatialGap: 0.2, stretch: 1.5)
        let behind = evidence(spatialGap: 0.9, stretch: 1.7)
        #expect((touching?.score ?? 0) > 1.3 && touching?.refusal != .depth)
        #expect((behind?.score ?? 9) < (touching?.score ?? 0) - 1 && behind?.refusal == .depth)
    }

    @Test func `a hand that sets a value pinches where its tips come to rest near each other`() {
        // Tips 0.38 hand lengths apart, reached within a second, held for one, and open again.
        func slider(to end: Double, resting: Double) -> [Pinch] {
            drawing(rate: 30, seconds: 7) { time in
                let closing = min(max(time - 1, 0), 1)
                return .pinch(end * (time < 2 + resting ? closing : max(0, 1 - (time - 2 - resting))))
            }.pinches
        }
        let near = slider(to: 0.75, resting: 1)
        #expect(abs(HandFigure.gap(.pinch(0.75)) - 0.38) < 0.02)
        #expect(near.count == 1 && near.first.map { abs($0.start - 2) < 0.25 && $0.end > 2.8 } == true)
        // Farther apart they are not together, however long they rest; nor where they turn back at once.
        #expect(slider(to: 0.68, resting: 3).isEmpty)
        #expect(drawing(rate: 30, seconds: 4) { .pinch(0.75 * max(0, 1 - abs($0 - 2) * 3)) }.pinches.isEmpty)
    }

    @Test func `a pinch that closes slowly starts when the tips stop coming closer`() {
        // Closing from the widest in 0.6 s; the tips meet at 1.1 s.
        func start(_ configuration: ScoredPinchProcessor.Configuration) -> Double? {
            let found = drawing(rate: 30, seconds: 3, configuration: configuration) {
                .pinch(min(max(($0 - 0.5) / 0.6, 0), 1))
            }
            return found.pinches.count == 1 ? found.pinches.first?.start : nil
        }
        let (settled, unsettled) = (start(.init()), start(.init(settling: 0)))
        #expect((0.95...1.1).contains(settled ?? 0))
        #expect((settled ?? 0) > (unsettled ?? 9) + 0.03)
    }
}
