public import Foundation

/// The throws of a game and what they come to.
public struct PlayerStats: Sendable, Hashable {
    /// The throws in order.
    public private(set) var metrics: [ThrowMetrics] = []
    /// Each throw's path: normalised points, origin at the lower left.
    public private(set) var throwPaths: [[CGPoint]] = []

    /// A game without throws.
    public init() {}

    /// How many throws there were.
    public var throwCount: Int { metrics.count }
    /// All points together.
    public var totalScore: Int { metrics.reduce(0) { $0 + $1.score.rawValue } }
    /// The greatest release speed, metres a second; 0 without throws.
    public var topSpeed: Double { metrics.map(\.releaseSpeed).max() ?? 0 }
    /// The mean release speed, metres a second; nil without throws.
    public var averageSpeed: Double? { mean(metrics.map(\.releaseSpeed)) }
    /// The mean launch angle, degrees; nil without throws.
    public var averageLaunchAngle: Double? { mean(metrics.map(\.launchAngle)) }
    /// The mean of the release angles that are known, degrees; nil when none is.
    public var averageReleaseAngle: Double? { mean(metrics.compactMap(\.releaseAngle)) }

    /// Takes a throw with its path.
    public mutating func add(_ metrics: ThrowMetrics, path: [CGPoint]) {
        self.metrics.append(metrics)
        throwPaths.append(path)
    }

    /// Forgets everything, averages and paths too.
    public mutating func reset() {
        self = PlayerStats()
    }

    private func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
}
