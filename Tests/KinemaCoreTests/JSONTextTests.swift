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
    func numbersHaveNoMoreDecimalsThanTheyNeed(value: Double, decimals: Int, expected: String) {
        #expect(text { $0.number(value, decimals: decimals) } == expected)
    }

    @Test func numbersReadBackAsTheyWere() throws {
        var state: UInt64 = 1
        for _ in 0..<2000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(Int64(bitPattern: state) >> 20) / 1e7
            let read = try #require(Double(text { $0.number(value, decimals: 5) }))
            #expect(abs(read - value) <= 5.001e-6)
        }
    }

    @Test(arguments: ["", "plain", "a \"quote\" \\ and\nlines\t\u{1}\u{1F}", "Übung 深蹲 🏋️", "/a/b"])
    func textsReadBackAsTheyWere(value: String) throws {
        let json = text { $0.array { $0.string(value) } }
        #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == [value])
    }

    @Test func commasStandBetweenValuesOnly() {
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
}
