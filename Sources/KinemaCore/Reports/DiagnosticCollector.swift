internal import Synchronization

/// Gathers findings from every step of a run, so that steps neither print nor throw them.
public final class DiagnosticCollector: Sendable {
    private let findings = Mutex<[Diagnostic]>([])

    /// How many findings are kept; later ones are only counted, so a broken stream cannot fill the memory.
    public static let limit = 1000

    /// Makes an empty collector.
    public init() {}

    /// Adds a finding.
    public func report(_ diagnostic: Diagnostic) {
        findings.withLock { if $0.count < Self.limit { $0.append(diagnostic) } }
    }

    /// The findings so far, in the order they came.
    public var diagnostics: [Diagnostic] {
        findings.withLock { $0 }
    }
}
