/// The kind of input, which determines how frames are processed.
public enum RunningMode: Sendable, Hashable {
    /// One image, searched as thoroughly as possible.
    case picture
    /// The frames of a file, which may be analysed in several parts at once.
    case file
    /// A stream that is read in one piece; all cores work on one frame.
    case exact
    /// A live stream: as `exact`, but the search for newcomers waits until the frame's poses are returned (`catchUp`).
    case live
}
