/// Totals and averages of a game, in metres, metres per second and degrees; averages are nil without throws.
package struct PlayerStats: Sendable, Hashable {
    package let metrics: [ThrowMetrics]

    package init(_ metrics: [ThrowMetrics]) { self.metrics = metrics }

    package var throwCount: Int { metrics.count }
    package var totalScore: Int { metrics.reduce(0) { $0 + $1.score.rawValue } }
    /// The highest release speed, in metres per second; 0 without throws.
    package var topSpeed: Double { metrics.map(\.releaseSpeed).max() ?? 0 }
    package var averageSpeed: Double? { mean(metrics.map(\.releaseSpeed)) }
    package var averageLaunchAngle: Double? { mean(metrics.map(\.launchAngle)) }
    /// The mean of the known release angles, in degrees.
    package var averageReleaseAngle: Double? { mean(metrics.compactMap(\.releaseAngle)) }
    package var averageDistance: Double? { mean(metrics.map(\.distance)) }

    private func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
}
