/// Cuts a sequence into windows that overlap by half.
struct WindowCutter: Sendable {
    /// Frames in a window.
    let length: Int
    /// Frames from the start of a window to the next.
    let step: Int

    /// Where windows start in a sequence of so many frames; the last one ends with the sequence.
    func starts(in count: Int) -> [Int] {
        guard count > length else { return [0] }
        var starts = Array(stride(from: 0, through: count - length, by: step))
        if let last = starts.last, count - length - last > step / 2 { starts.append(count - length) }
        return starts
    }

    /// The windows of a steadily sampled sequence in which somebody is to be seen, with their first frames.
    func windows(of sequence: PoseSequence) -> [(start: Int, window: MotionWindow)] {
        starts(in: sequence.count).compactMap { start in
            MotionWindow(sequence, from: start, length: length).map { (start, $0) }
        }
    }
}
