import Foundation
import Kinema

/// Writes what the hands do to standard output, frame by frame, where the format goes so.
struct GestureResults: Sendable {
    let format: OutputFormat

    /// Writes what the hands do in a frame as a line of JSON Lines.
    func write(
        _ hands: [HumanHandPoseObservation], _ states: [PinchDrawing.HandState], number: Int, time: TimeInterval
    ) throws {
        guard format == .jsonl else { return }
        try StandardOutput().jsonLine { json in
            json.object { json in
                json.key("frame")
                json.integer(number)
                json.key("time")
                json.number(time, decimals: 6)
                json.key("hands")
                json.array { list in
                    for state in states {
                        list.state(state, of: hands.first { $0.pose.id == state.id })
                    }
                }
            }
        }
    }
}

extension GestureReport: FormattedResults {
    var text: String {
        func format(_ value: Double, _ decimals: Int = 1) -> String { String(format: "%.\(decimals)f", value) }
        let run = outcome
        let speed = run.seconds > 0 ? format(Double(run.frames) / run.seconds) : "-"
        var lines = [
            "\(PlainText.oneLine(source)): \(PlainText.counted(pinches.count, "pinch", "pinches")) in \(format(run.duration)) s "
                + "(\(PlainText.counted(run.frames, "frame")), \(speed) frames/s)"
        ]
        if run.framesWithSomeone == 0 { lines.append("no hand found") }
        for (number, pinch) in pinches.enumerated() {
            lines.append(
                "  \(number + 1).  \(format(pinch.start, 2)) to \(format(pinch.end, 2)) s, "
                    + "hand \(pinch.id)" + (pinch.hand.map { ", \($0.rawValue)" } ?? ""))
        }
        return lines.joined(separator: "\n")
    }

    var table: String {
        var bytes = Array("pinch,id,hand,start,end\n".utf8)
        for (number, pinch) in pinches.enumerated() {
            var line = JSONText()
            line.integer(number + 1)
            line.integer(pinch.id)
            bytes += line.bytes + Array(",\(pinch.hand?.rawValue ?? ""),".utf8)
            line = JSONText()
            line.number(pinch.start, decimals: 4)
            line.number(pinch.end, decimals: 4)
            line.newline()
            bytes += line.bytes
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func write(to json: inout JSONText) {
        json.report(self)
    }
}

extension JSONText {
    fileprivate mutating func state(_ state: PinchDrawing.HandState, of hand: HumanHandPoseObservation?) {
        object { json in
            json.key("id")
            json.integer(state.id)
            json.key("hand")
            json.side(hand?.chirality)
            json.key("state")
            json.string(state.state.rawValue)
            json.key("point")
            json.numbers([state.point.x, state.point.y])
        }
    }

    fileprivate mutating func side(_ side: HumanHandPoseObservation.Chirality?) {
        if let side { string(side.rawValue) } else { null() }
    }

    fileprivate mutating func report(_ report: GestureReport) {
        object { json in
            json.key("source")
            json.string(report.source)
            json.key("duration")
            json.number(report.outcome.duration, decimals: 6)
            json.frames(report.outcome.frames, live: report.outcome.live)
            json.key("pinches")
            json.array { list in
                for pinch in report.pinches {
                    list.object { json in
                        json.key("start")
                        json.number(pinch.start, decimals: 4)
                        json.key("end")
                        json.number(pinch.end, decimals: 4)
                        json.key("hand")
                        json.side(pinch.hand)
                        json.key("id")
                        json.integer(pinch.id)
                    }
                }
            }
            json.key("strokes")
            json.array { list in report.strokes.forEach { list.stroke($0) } }
        }
    }

    private mutating func stroke(_ stroke: Stroke) {
        object { json in
            json.key("hand")
            json.side(stroke.hand)
            json.key("id")
            json.integer(stroke.id)
            json.key("start")
            json.number(stroke.times.first ?? 0, decimals: 4)
            json.key("end")
            json.number(stroke.times.last ?? 0, decimals: 4)
            json.key("points")
            json.array { points in stroke.points.forEach { points.numbers([$0.x, $0.y]) } }
        }
    }
}
