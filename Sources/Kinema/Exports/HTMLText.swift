import Foundation
import KinemaCore

package enum HTMLText {
    /// An untrusted text on one line, with HTML's special characters escaped.
    package static func escaped(_ text: String) -> String {
        PlainText.oneLine(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    /// A table of cells that are HTML already; the first column is text, the others are numbers.
    package static func table(_ head: [String], _ rows: [[String]]) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            let all = cells.enumerated().map { index, cell in
                "<\(tag)\(index > 0 ? " class=\"number\"" : "")>\(cell)</\(tag)>"
            }
            return "<tr>\(all.joined())</tr>"
        }
        return (["<table>", row(head, "th")] + rows.map { row($0, "td") } + ["</table>"]).joined(separator: "\n")
    }

    /// A drawing as part of a page, without its XML declaration.
    package static func inline(_ svg: Data) -> String {
        let text = String(decoding: svg, as: UTF8.self)
        return text.range(of: "<svg").map { String(text[$0.lowerBound...]) } ?? ""
    }
}
