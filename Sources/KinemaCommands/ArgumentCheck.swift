import ArgumentParser
import Foundation
import KinemaCore

enum ArgumentCheck {
    /// Throws for the first argument that is not UTF-8, or looks like a file's name but begins as options do.
    static func check(_ arguments: [String], bytes: [[UInt8]]?) throws {
        if let name = bytes?.first(where: { String(validating: $0, as: UTF8.self) == nil }) {
            throw KinemaError(
                .unreadableInput, "the name is not UTF-8; rename the file", file: String(decoding: name, as: UTF8.self))
        }
        if let name = arguments.prefix(while: { $0 != "--" }).first(where: isFileName) {
            let name = PlainText.oneLine(name)
            throw ValidationError("\(name) begins with a dash, as options do; if it is a file, write ./\(name)")
        }
    }

    /// The bytes of the process's arguments after its own name; nil if unknown.
    static var processBytes: [[UInt8]]? {
        guard let line = FileManager.default.contents(atPath: "/proc/self/cmdline") else { return nil }
        return line.split(separator: 0, omittingEmptySubsequences: false).dropFirst().map(Array.init)
    }

    /// Whether an argument begins with a dash but cannot be an option or a negative number.
    private static func isFileName(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), argument != "-" else { return false }
        if argument.hasPrefix("--") {
            return !argument.dropFirst(2).prefix { $0 != "=" }.allSatisfy {
                $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber)
            }
        }
        let rest = argument.dropFirst()
        return rest.count > 1 && !rest.allSatisfy { $0.isNumber || $0 == "." || $0 == "," }
    }
}
