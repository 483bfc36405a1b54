import Foundation
import Kinema

/// Writes a command's final output: the printed results, then its files. A failed file does not lose the others.
struct SideFiles {
    private var failures: [any Error] = []

    /// Writes a part; its failure is thrown by `conclude`.
    mutating func write(_ part: () throws -> Void) { do { try part() } catch { failures.append(error) } }

    /// Writes a file of JSON Lines, if one is asked for.
    mutating func write(_ lines: [some Encodable], to path: String?) {
        guard let path else { return }
        write { try AtomicFile.write(Array(ResultCoding.lines(lines).utf8), to: URL(filePath: path)) }
    }

    mutating func add(_ failure: (any Error)?) { if let failure { failures.append(failure) } }

    /// Throws the first failure; further ones are a line each.
    func conclude() throws {
        // A closed pipe alone shows only in the exit code.
        let failed = failures.filter { !($0 is ClosedOutput) }
        for failure in failed.dropFirst() { Console.shared.line("kinema: \(failure)") }
        if let first = failed.first ?? failures.first { throw first }
    }
}
