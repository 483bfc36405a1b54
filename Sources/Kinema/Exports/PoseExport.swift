/// Writes poses in a format for other programs.
public protocol PoseExport: Sendable {
    /// Adds the next frame; formats with one rate throw `.invalidArgument` for a time that does not increase.
    mutating func add(_ frame: ExportedFrame) throws
    /// Writes a complete file of the frames so far; throws `.unwritableOutput` when it cannot be written.
    consuming func finish() throws
}
