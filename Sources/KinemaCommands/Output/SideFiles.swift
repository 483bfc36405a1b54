import Kinema

/// What a command writes at its end: the printed results, then its files.
///
/// Each part is tried, so that a full disk for a chart does not lose the count.
struct SideFiles {
    private var failures: [any Error] = []

    /// Writes a part; its failure is thrown by `conclude`.
    mutating func write(_ part: () throws -> Void) {
        do { try part() } catch { failures.append(error) }
    }

    /// Adds the failure of a part that was written earlier.
    mutating func add(_ failure: (any Error)?) {
        if let failure { failures.append(failure) }
    }

    /// Throws the first failure; further ones are a line each.
    func conclude() throws {
        // A closed pipe alone shows only in the exit code.
        let failed = failures.filter { !($0 is ClosedOutput) }
        for failure in failed.dropFirst() { Console.shared.line("kinema: \(failure)") }
        if let first = failed.first ?? failures.first { throw first }
    }
}
