import Kinema

/// What a command writes at its end: the printed results and the files beside them.
///
/// Each part is tried, so that a chart for which the disk has no room costs nobody the count.
struct SideFiles {
    private var failures: [any Error] = []

    /// Writes a part; its failure is thrown by `conclude`.
    mutating func write(_ part: () throws -> Void) {
        do { try part() } catch { failures.append(error) }
    }

    /// Takes the failure of a part that was written meanwhile.
    mutating func add(_ failure: (any Error)?) {
        if let failure { failures.append(failure) }
    }

    /// Throws the first failure; further ones are a line each.
    func conclude() throws {
        // That the reader of the results has gone is said by the exit code alone, if nothing else went wrong.
        let failed = failures.filter { !($0 is ClosedOutput) }
        for failure in failed.dropFirst() { Console.shared.line("kinema: \(failure)") }
        if let first = failed.first ?? failures.first { throw first }
    }
}
