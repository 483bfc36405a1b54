import Foundation
import Kinema
import KinemaDraw

/// One run of `kinema gesture`, from the first frame to the last line.
struct GestureRun {
    let command: GestureCommand

    init(_ command: GestureCommand) {
        self.command = command
    }

    /// Reads everything and writes the results; an interrupted run writes what it has.
    func frames(_ interruption: Interruption) async throws -> GestureReport {
        let reading = try await Reading(command.media.input)
        try reading.refuse(outputs: [command.media.overlay, command.drawing].compactMap(\.self))
        if let drawing = command.drawing { try reading.refuse(unwritable: drawing) }
        let writer = try command.media.overlay.map { try OverlayWriter(path: $0, timescale: reading.frames.timescale) }
        let results = GestureResults(format: command.media.format)
        let started = ContinuousClock.now
        var report = GestureReport(source: reading.source)
        do {
            for try await element in command.pipeline(reading.frames) {
                let drawn = element.feature
                report.add(drawn, element.id.rangeInSeconds)
                if command.media.format == .jsonl { try results.write(drawn, number: report.frames - 1) }
                try await writer?.add(
                    drawn.frame, poses: [], hands: drawn.hands.map(\.pose), gestures: GestureOverlay(drawn),
                    hud: HUD(count: report.pinches.count, caption: "pinches", framesPerSecond: reading.rate))
                Console.shared.progress(
                    report.frames, of: reading.frameEstimate, note: "\(report.pinches.count) pinches")
                if interruption.isRaised { break }
            }
        } catch is CancellationError {}
        Console.shared.endProgress()
        report.seconds = (ContinuousClock.now - started) / .seconds(1)
        try results.write(report)
        if let drawing = command.drawing {
            try AirDrawing(report.strokes).write(
                to: URL(filePath: drawing), width: max(1, reading.width), height: max(1, reading.height))
        }
        try await writer?.finish()
        Console.shared.warn(reading.diagnostics.diagnostics)
        return report
    }
}

/// What a run found: the contract of `kinema gesture`.
struct GestureReport: Sendable {
    var source: String
    var duration: TimeInterval = 0
    var frames = 0
    var framesWithHands = 0
    var pinches: [Pinch] = []
    var strokes: [Stroke] = []
    /// How long the analysis took, seconds.
    var seconds: TimeInterval = 0

    init(source: String) {
        self.source = source
    }

    mutating func add(_ drawn: DrawnFrame, _ range: Range<TimeInterval>) {
        frames += 1
        duration = range.upperBound
        if !drawn.hands.isEmpty { framesWithHands += 1 }
        pinches = drawn.drawing.pinches
        strokes = drawn.drawing.strokes
    }
}

extension GestureOverlay {
    /// The lines so far and a ring a hand: green pinched, orange perhaps, red apart, as in the HandPose sample.
    fileprivate init(_ drawn: DrawnFrame) {
        let marks = drawn.states.map { hand -> Mark in
            let color =
                switch hand.state {
                case .pinched: Color(hex: 0x1FD6A0)
                case .possiblePinch, .possibleApart: Color(hex: 0xFFA81E)
                case .apart, .unknown: Color.fault
                }
            return Mark(point: hand.point, color: color)
        }
        self.init(strokes: drawn.drawing.strokes, marks: marks)
    }
}
