import Foundation
import KinemaTestSupport
import Testing

/// A command as a page says it.
struct DocumentedCommand {
    var line: Int
    var text: String
}

/// A page of the documentation, and the commands that it gives: in blocks indented by four spaces or fenced as `sh`.
/// Where a block has lines that begin with `$ `, these are its commands and the others what they print.
struct DocumentedPage: CustomTestStringConvertible {
    var path: String
    var text: String

    var testDescription: String { path }

    /// All pages.
    static let all: [DocumentedPage] = {
        let root = SharedData.package
        let catalogues =
            (try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources").path)) ?? []
        let guides =
            (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Documentation").path)) ?? []
        let paths =
            ["README.md", "CONTRIBUTING.md", "SECURITY.md"] + guides.map { "Documentation/\($0)" }
            + catalogues.filter { $0.contains(".docc/") }.map { "Sources/\($0)" }
        return paths.filter { $0.hasSuffix(".md") }.sorted().compactMap { path in
            (try? String(contentsOf: root.appending(path: path), encoding: .utf8)).map {
                DocumentedPage(path: path, text: $0)
            }
        }
    }()

    /// Every command of the blocks that hold one of Kinema's or a script.
    var commands: [DocumentedCommand] { blocks.flatMap(Self.commands(of:)) }

    /// Files that the page gives whole: a fenced block after a line that ends with its name, as in "`cameras.yaml`:".
    var files: [(name: String, text: String)] {
        text.matches(of: /(?m)`([a-z]+\.[a-z]+)`:\n\n```[a-z]+\n((?:.*\n)*?)```$/).map {
            (String($0.output.1), String($0.output.2))
        }
    }

    /// What follows the command's name in the blocks, and in backticks within sentences and tables.
    var mentions: [String] {
        let parts = commands.flatMap { $0.text.split(whereSeparator: { "|;&(".contains($0) }) }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        return parts.filter { $0.hasPrefix("kinema ") }.map { String($0.dropFirst(7)) } + said
    }

    private var said: [String] {
        text.replacing(/(?m)^```(?:.*\n)*?```$/, with: "").matches(of: /`kinema ([^`]+)`/).map {
            String($0.output.1).replacing("\\|", with: "|")
        }
    }

    private typealias Block = (first: Int, lines: [String])

    private var blocks: [Block] {
        var blocks: [Block] = []
        var open: Block?
        var fence: Substring?
        var isAfterBlank = true
        let lines: [Substring] = text.split(separator: "\n", omittingEmptySubsequences: false) + [""]
        for (index, line) in lines.enumerated() {
            var held: Substring?
            if line.hasPrefix("```") {
                fence = fence == nil ? line.dropFirst(3) : nil
            } else if let fence {
                if fence.isEmpty || fence == "sh" { held = line }
            } else if line.hasPrefix("    "), open != nil || isAfterBlank {
                held = line.dropFirst(4)
            }
            if let held {
                open = (open?.first ?? index + 1, (open?.lines ?? []) + [String(held)])
            } else if let whole = open {
                blocks.append(whole)
                open = nil
            }
            isAfterBlank = line.allSatisfy(\.isWhitespace) || line.hasPrefix("```")
        }
        return blocks
    }

    private static func commands(of block: Block) -> [DocumentedCommand] {
        var lines: [DocumentedCommand] = []
        for (offset, line) in block.lines.enumerated() {
            if let last = lines.last, last.text.hasSuffix("\\") {
                lines[lines.count - 1].text = String(last.text.dropLast()) + line.trimmingCharacters(in: .whitespaces)
            } else if !line.allSatisfy(\.isWhitespace) {
                lines.append(DocumentedCommand(line: block.first + offset, text: line))
            }
        }
        let shown = lines.filter { $0.text.hasPrefix("$ ") }.map {
            DocumentedCommand(line: $0.line, text: String($0.text.dropFirst(2)))
        }
        let said = shown.isEmpty ? lines : shown
        let isOurs = said.contains {
            // A command's word ends with a space: "kinema batch: 300 clips" is what it prints.
            $0.text.hasPrefix("script/") || $0.text.contains(/(^|[\s\/;|&])kinema -{0,2}[a-z][a-z-]*(\s|$)/)
        }
        return isOurs ? said : []
    }
}
