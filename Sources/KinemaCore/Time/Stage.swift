/// A stage of a run, from the input's bytes to written results.
package enum Stage: Int, CaseIterable, Sendable {
    case decode
    /// Cuts the models' inputs out of the frames.
    case sample
    case infer
    /// Associates detections with people, finds cuts and the camera's motion, and removes jitter.
    case track
    case analyse
    /// Results, exports and overlays.
    case write

    package var name: String { "\(self)" }
}
