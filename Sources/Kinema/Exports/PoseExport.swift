/// Writes poses in a format for other programs.
public protocol PoseExport: Sendable {
    /// Adds the next frame.
    ///
    /// Formats with one rate throw `.invalidArgument` for a time that is not after the last frame's.
    mutating func add(_ frame: ExportedFrame) throws
    /// Writes the file; the frames added so far make a complete one.
    ///
    /// Throws `.unwritableOutput` when the file cannot be written.
    consuming func finish() throws
}
