import Foundation
import KinemaCore
import KinemaSynth
import KinemaTestSupport
import Testing

@testable import KinemaCommands

struct DelimitedTableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The first is what a fuzzer found: a joiner after the quote that opens the cell made another character of both.
    @Test(arguments: [
        "\u{200D}\u{1F688}\u{FFFD}\u{C}\n\0\0\u{FFFD}é", "\u{301}a,b", "a,\u{301}b", "x\"\u{301},y", "\"\"", "a\r\nb",
        "\r",
    ]) func `a cell that was written is read as one`(text: String) {
        let table = DelimitedTable("a,b\n" + DelimitedText.cell(text) + ",c\n")
        #expect(table.rows.count == 1 && table.rows.first?["b"] == "c")
        #expect(DelimitedTable("a,b\r\n" + DelimitedText.cell(text) + ",c\r\n").rows == table.rows)
    }

    @Test func `a table of too many lines is refused before it is read`() throws {
        let url = folder.file("table.csv")
        try Data(String(repeating: "a\n", count: DelimitedTable.maximumLines + 1).utf8).write(to: url)
        let error = #expect(throws: KinemaError.self) { try DelimitedTable(contentsOf: url, remedy: "") }
        #expect(error?.message == "has more than 100000 lines; split it")
    }

    @Test func `a table of many columns is refused in a short line`() throws {
        let url = folder.file("wide.csv")
        try Data(String(repeating: "a,", count: 10_000).utf8).write(to: url)
        let error = #expect(throws: KinemaError.self) { try LabelledClip.read(url.path) }
        #expect(error.map { $0.message.contains("has no column file") && $0.message.utf8.count < 300 } == true)
    }

    @Test func `a score is a table of one row`() async throws {
        let run = try await Program.run("evaluate", "trajectories", "--clips", "1", "--format", "csv")
        let cells = run.lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(run.status == 0 && cells.count == 2 && cells[0].count == cells[1].count, "\(run.text)")
        #expect(cells[0].contains("precision") && cells[1].allSatisfy { Double($0) != nil }, "\(run.text)")
    }

    @Test(arguments: [
        ("csv", "look,found,wrong,median_error\n", "\n# 1 games of each look"),
        ("json", "{\"rows\":[\n", "\"games\":1}\n"),
    ]) func `boards are a table in every format`(format: String, begins: String, ends: String) async throws {
        let run = try await Program.run("evaluate", "toss", "--boards", "--games", "1", "--format", format)
        #expect(run.status == 0 && run.text.hasPrefix(begins) && run.text.contains(ends), "\(run.text)")
        #expect(run.text.matches(of: /"look":|\n[a-z]+,[01]\./).count == BoardLook.allCases.count)
    }
}
