/// The part of a movement to keep for charts.
package enum SignalMemory: String, Sendable, Hashable, Codable {
    /// The last seconds, for the strip below the frame.
    case recent
    /// All of it, for a full chart.
    case everything
}
