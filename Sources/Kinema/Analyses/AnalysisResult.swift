/// A `Codable` result that can also be written as text and as a table.
public protocol AnalysisResult: Codable, Sendable {
    /// The names of the table's columns.
    static var columns: [String] { get }
    /// The table's rows, one cell per column.
    var rows: [[String]] { get }
    /// The text for people; `run` describes the input and the speed.
    func lines(_ run: AnalysisRun) -> [String]
}
