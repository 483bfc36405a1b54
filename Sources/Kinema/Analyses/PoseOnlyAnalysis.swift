package import KinemaMedia

/// An analysis that reads only the poses and hands of a frame, so that its frames may come without pictures.
package protocol PoseOnlyAnalysis: Analysis {
    /// The frames of a file that it needs.
    var neededFrames: FrameSelection { get }
}

extension PoseOnlyAnalysis {
    package var neededFrames: FrameSelection { .all }
}

extension Analysis {
    /// The frames of a file that any analysis needs: all, unless it says otherwise.
    package var framesToRead: FrameSelection { (self as? any PoseOnlyAnalysis)?.neededFrames ?? .all }
}

extension FrameSelection {
    /// The frames for repetitions: the counter sees the movement in steps of a fifteenth of a second, and a repetition
    /// takes at least 0.3 s.
    static let repetitions = perSecond(15)
}
