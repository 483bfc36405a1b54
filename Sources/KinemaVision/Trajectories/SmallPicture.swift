import KinemaMedia

/// A frame made small: its brightness, and its colours at half of that resolution.
struct SmallPicture: Sendable {
    let luma: PlanePicture
    /// Nil for grey frames, and where the frame has its colours at less than a fourth of its width or height.
    let colors: (blue: PlanePicture, red: PlanePicture)?

    /// Each pixel is the mean of `factor` x `factor` of the frame's.
    init(_ frame: VideoFrame, factor: Int) {
        luma = PlanePicture(frame, .luma, factor: factor)
        let coarse = 2 * factor
        let hasColors = frame.withPlanes { planes in
            planes.layout != .gray && coarse >> planes.chromaShiftX > 0 && coarse >> planes.chromaShiftY > 0
        }
        colors =
            hasColors
            ? (PlanePicture(frame, .blue, factor: coarse), PlanePicture(frame, .red, factor: coarse)) : nil
    }
}
