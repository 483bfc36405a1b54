import KinemaMedia

/// A frame scaled down: its luma, and its colours at half that resolution.
struct ReducedFrame: Sendable {
    let luma: PlanePicture
    /// The colour planes; nil for grey frames and frames with strongly subsampled chroma.
    let colors: (blue: PlanePicture, red: PlanePicture)?

    /// Scales a frame down by averaging `factor` x `factor` pixels.
    init(_ frame: VideoFrame, factor: Int) {
        luma = PlanePicture(frame, .luma, factor: factor)
        let coarse = 2 * factor
        let hasColors = frame.withPlanes { planes in
            planes.layout != .gray && coarse >> planes.chromaShiftX > 0 && coarse >> planes.chromaShiftY > 0
        }
        colors =
            hasColors ? (PlanePicture(frame, .blue, factor: coarse), PlanePicture(frame, .red, factor: coarse)) : nil
    }
}
