import KinemaCore
import Testing

@testable import KinemaCommands

struct DelimitedTableTests {
    /// The first is what a fuzzer found: a joiner after the quote that opens the cell made another character of both.
    @Test(arguments: [
        "\u{200D}\u{1F688}\u{FFFD}\u{C}\n\0\0\u{FFFD}é", "\u{301}a,b", "a,\u{301}b", "x\"\u{301},y", "\"\"", "a\r\nb",
        "\r",
    ]) func `a cell that was written is read as one`(text: String) {
        let table = DelimitedTable("a,b\n" + DelimitedText.cell(text) + ",c\n")
        #expect(table.rows.count == 1 && table.rows.first?["b"] == "c")
        #expect(DelimitedTable("a,b\r\n" + DelimitedText.cell(text) + ",c\r\n").rows == table.rows)
    }
}
