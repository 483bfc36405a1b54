import Foundation
import KinemaCore
import Testing

/// The JSON writer against Foundation's reader.
struct JSONTextTests {
    private func text(_ body: (inout JSONText) -> Void) -> String {
        var json = JSONText()
        body(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test(
        arguments: [
            (0, 5, "0"), (-0.0, 5, "0"), (1, 5, "1"), (-1, 5, "-1"), (0.5, 5, "0.5"), (0.123456789, 5, "0.12346"),
            (-0.05, 2, "-0.05"), (0.000004, 5, "0"), (-0.000004, 5, "0"), (0.99999999, 5, "1"), (100, 0, "100"),
            (99.5, 0, "100"), (10.010, 3, "10.01"), (123456.789, 2, "123456.79"), (1.5, 12, "1.5"), (7, -3, "7"),
            (999_999_999, 6, "999999999"), (1e11, 9, "null"), (1e30, 0, "null"), (.nan, 5, "null"),
            (.infinity, 5, "null"), (-.infinity, 5, "null"),
        ] as [(Double, Int, String)])
    func `numbers have no more decimals than they need`(value: Double, decimals: Int, expected: String) {
        #expect(text { $0.number(value, decimals: decimals) } == expected)
    }

    @Test func `numbers read back as they were`() throws {
        var state: UInt64 = 1
        for _ in 0..<2000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(Int64(bitPattern: state) >> 20) / 1e7
            let read = try #require(Double(text { $0.number(value, decimals: 5) }))
            #expect(abs(read - value) <= 5.001e-6)
        }
    }

    @Test(arguments: ["", "plain", "a \"quote\" \\ and\nlines\t\u{1}\u{1F}", "Übung 深蹲 🏋️", "/a/b"])
    func `texts read back as they were`(value: String) throws {
        let json = text { $0.array { $0.string(value) } }
        #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == [value])
    }

    @Test func `commas stand between values only`() {
        let json = text { json in
            json.object { json in
                json.key("a")
                json.array { list in
                    list.integer(1)
                    list.array { _ in }
                    list.object { _ in }
                    list.boolean(true)
                    list.null()
                }
                json.key("b")
                json.object {
                    $0.key("c"); $0.string("d")
                }
            }
            json.newline()
            json.integer(-2)
        }
        #expect(json == "{\"a\":[1,[],{},true,null],\"b\":{\"c\":\"d\"}}\n-2")
    }

    @Test func `characters that act on a terminal are escaped and read back as they were`() throws {
        let hidden = "\u{7F}\u{9B}2J\u{85}\u{202E}\u{2066}\u{200F}\u{61C}\u{2028}\u{2029}"
        let json = text { $0.array { $0.string("a" + hidden + "é🏋️") } }
        #expect(!json.unicodeScalars.contains(where: PlainText.isHidden))
        #expect(json.contains("é🏋️"))
        #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == ["a" + hidden + "é🏋️"])
        let foreign = try JSONEncoder().encode([hidden + "é"])
        let visible = JSONText.visible(foreign)
        #expect(!String(decoding: visible, as: UTF8.self).unicodeScalars.contains(where: PlainText.isHidden))
        #expect(try JSONDecoder().decode([String].self, from: Data(visible)) == [hidden + "é"])
    }
}

/// Text that others read: people, terminals, spreadsheets.
struct PlainTextTests {
    @Test(
        arguments: [
            ("plain é 🏋️ 深蹲", "plain é 🏋️ 深蹲"), ("a\u{1B}[31mb", #"a\u{1B}[31mb"#), ("a\nb\r\tc\u{0}", #"a\nb\r\tc\0"#),
            ("\u{85}\u{9B}\u{7F}", #"\u{0085}\u{009B}\u{7F}"#), ("x\u{202E}gpm.exe", #"x\u{202E}gpm.exe"#),
            ("\u{2028}\u{2029}\u{2067}", #"\u{2028}\u{2029}\u{2067}"#),
        ]) func `one line holds nothing that acts on a terminal`(text: String, shown: String)
    {
        #expect(PlainText.oneLine(text) == shown)
    }

    @Test func `lines keep their ends alone`() {
        #expect(PlainText.lines("a\nb\u{1B}[H\nc\rd") == "a\nb\\u{1B}[H\nc\\rd")
    }

    @Test func `nouns are counted`() {
        #expect([0, 1, 2].map { PlainText.counted($0, "pinch", "pinches") } == ["0 pinches", "1 pinch", "2 pinches"])
        #expect([0, 1, 2].map { PlainText.counted($0, "rep") } == ["0 reps", "1 rep", "2 reps"])
        #expect(PlainText.counted(-1, "point") == "-1 points")
    }

    @Test func `a text is cut between two characters`() {
        #expect(PlainText.prefix("aüb", bytes: 2) == "a")
        #expect(PlainText.prefix("aüb", bytes: 3) == "aü")
        #expect(PlainText.prefix("👩‍👩‍👧x", bytes: 10) == "")
        #expect(PlainText.prefix("short", bytes: 10) == "short")
    }

    @Test(
        arguments: [
            ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("", ""),
            ("=1+1", "\"'=1+1\""), ("@SUM(A1)", "\"'@SUM(A1)\""), ("+cmd|' /C calc'!A0", "\"'+cmd|' /C calc'!A0\""),
            ("-squat", "\"'-squat\""), ("\tx", "\"'\tx\""), ("\rx", "\"'\rx\""),
            ("-1.5", "-1.5"), ("+3", "+3"), ("-2e-05", "-2e-05"), ("-1.5x", "\"'-1.5x\""),
            ("a\u{1B}[2J", #"a\u{1B}[2J"#), ("a\nb", "\"a\nb\""),
            // A mark that combines with a quote or a comma makes another character, though not to who reads the file.
            ("a,\u{301}b", "\"a,\u{301}b\""), ("\u{301},", "\"\u{301},\""), ("a\"\u{200D},", "\"a\"\"\u{200D},\""),
        ]) func `a cell is text to a spreadsheet unless it is a number`(text: String, cell: String)
    {
        #expect(DelimitedText.cell(text) == cell)
    }
}
