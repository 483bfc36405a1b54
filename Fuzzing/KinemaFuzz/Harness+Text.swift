@testable import KinemaHistory
import KinemaPose
import ArgumentParser
import Foundation
import Kinema
@testable import KinemaCommands
@testable import KinemaStudioCommands
import KinemaCore
@testable import KinemaHTTP
@testable import KinemaStudio

/// Command lines, and texts that are shown or written.
extension Harness {
    /// Command lines, one word per line; they are parsed and validated, not run.
    static let arguments = Harness(name: "arguments", maximumLength: 512) {
        [
            "pose\nclip.mp4\n--format\njsonl\n--model\nposenet:a.tflite", "count\nposes.npy\n--fps\n30\n--aspect\n16/9",
            "history\nlist\n--from\n2026-11-21\n--mode\ncount\n--limit\n5", "gesture\na.mp4\n--view\n390x844",
            "synth\na.mp4\n--scene\nsquat\n--size\n640x480\n--frame-rate\n30", "toss\na.mp4\n--board\n0.1,0.2,0.3,0.4",
            "studio\n--port\n0\n--allow-host\na:80", "batch\na.mp4\n--task\ncount", "--help", "camera",
            "pose\n-\n--for\n5",
        ].map(bytes)
    } body: { bytes in
        let words = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        _ = try? KinemaStudioCommand.parseAsRoot(words)
    }

    /// Single values of options and parameters.
    static let values = Harness(name: "values", maximumLength: 256) {
        [
            "390x844", "2026-11-21", "2026-11-21T18:30:00.250Z", "0.1,0.2,0.3,0.4", "posenet:a.tflite", "GPU.1",
            "poses.jsonl", "#0072b2", "abcdefghijklmnop", "16/9",
        ].map(bytes)
    } body: { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let size = ViewSize(argument: text) { expect(size.width > 0 && size.height > 0, "a view has a size") }
        if let date = DateArgument(argument: text) { expect(date.end >= date.date, "a day ends after it begins") }
        if let box = NormalizedBox(text) { expect(box.rect.width > 0 && box.rect.maxX < 1.001, "a box has a size") }
        _ = (BodyModelChoice(argument: text), ModelStore.Device(rawValue: text), SessionFormat(argument: text))
        if let token = try? AccessToken(text) { expect(token.matches(token.text), "a token is itself") }
        _ = DrawingColour(text)
    }

    /// Names from outside, as shown, as JSON and as a table cell.
    static let texts = Harness(name: "texts", maximumLength: 1024) {
        [
            "plain", "a\u{1B}[31mb\u{202E}c\n", "\"quoted\", \\ and 'more'", "=1+1", "a,b\n\"c,\"\"d\"\"\"\n",
            "\u{1F469}\u{200D}\u{1F680}é", "\u{FEFF}\u{0}",
        ].map(bytes)
    } body: { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        expect(!PlainText.oneLine(text).unicodeScalars.contains(where: PlainText.isHidden), "nothing hidden is shown")
        expect(PlainText.name(text, atMost: 40).utf8.count <= 40, "a name is cut to its limit")
        var json = JSONText()
        json.array { $0.string(text) }
        let read = try? JSONDecoder().decode([String].self, from: Data(json.bytes))
        expect(read?.first.map { Array($0.utf8) == Array(text.utf8) } ?? false, "a text comes back from JSON")
        _ = JSONText.visible(bytes)
        let table = DelimitedTable("a,b\n" + DelimitedText.cell(text) + ",c\n")
        expect(table.rows.count == 1 && table.rows[0]["b"] == "c", "a cell stays one cell")
        _ = DelimitedTable(text).rows
    }
}
