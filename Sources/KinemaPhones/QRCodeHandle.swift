import CQRCode
import Foundation
package import KinemaCore

/// A QR code: a square of dark and light modules.
package struct QRCode: Sendable, Equatable {
    package let size: Int
    /// Row by row; true is dark.
    private let modules: [Bool]

    /// Light modules around the code, which readers need (ISO/IEC 18004).
    private static let margin = 4

    /// Encodes a text; throws if it is too long for any code, about two thousand letters.
    package init(_ text: String) throws(KinemaError) {
        // SAFETY: the library copies the text, and its result is read within `width * width` bytes and freed once.
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else {
            throw KinemaError(.invalidArgument, "the text is too long for a QR code")
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { throw KinemaError(.invalidArgument, "the QR code is empty") }
        size = width
        modules = (0..<width * width).map { data[$0] & 1 == 1 }
    }

    /// Whether a module is dark; outside the code all are light.
    package func isDark(_ column: Int, _ row: Int) -> Bool {
        (0..<size).contains(column) && (0..<size).contains(row) && modules[row * size + column]
    }

    /// A drawing, one unit a module.
    package var svg: String {
        let side = size + 2 * Self.margin
        let dark = (0..<size).map { row in
            (0..<size).filter { isDark($0, row) }.map { "M\($0 + Self.margin) \(row + Self.margin)h1v1h-1z" }.joined()
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path d="\(dark.joined())"/></svg>

            """
    }

    /// Lines for a terminal, two rows of modules each, black on white whatever the terminal's colours are.
    package var terminalLines: [String] {
        let range = -2..<size + 2
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let blocks = range.map { column in
                switch (isDark(column, row), isDark(column, row + 1)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\u{1B}[38;5;16;48;5;231m" + blocks.joined() + "\u{1B}[0m"
        }
    }
}
