import Synchronization

/// Collects findings from every step of a run, so that steps neither print nor throw them.
public final class DiagnosticCollector: Sendable {
    private let findings = Mutex<[Diagnostic]>([])

    /// The maximum number of findings; later ones are dropped.
    package static let limit = 1000

    /// Creates an empty collector.
    public init() {}

    package func report(_ diagnostic: Diagnostic) {
        findings.withLock { if $0.count < Self.limit { $0.append(diagnostic) } }
    }

    /// The findings so far, in order.
    public var diagnostics: [Diagnostic] { findings.withLock { $0 } }
}
