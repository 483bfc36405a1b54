import Foundation

/// A sliding window that cuts a sequence into overlapping windows.
struct SlidingWindow: Sendable {
    let length: Int
    /// The number of frames from the start of one window to the next.
    let step: Int

    /// The start frames of the windows in a sequence of `count` frames; the last window ends with the sequence.
    func starts(in count: Int) -> [Int] {
        guard count > length else { return [0] }
        var starts = Array(stride(from: 0, through: count - length, by: step))
        if let last = starts.last, count - length - last > step / 2 { starts.append(count - length) }
        return starts
    }
}
