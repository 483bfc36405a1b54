package import KinemaCore
package import KinemaMedia

/// Bodies of one stream, by whichever model finds them: a look that changes nothing, then the people it showed.
package struct BodyTracker: Sendable {
    // One of the two; held apart so that each changes in place.
    private var blazePose: BodyPoseTracker?
    private var poseNet: PoseNetTracker?

    /// What a look showed.
    package enum Seen: Sendable {
        case followed(FrameLook.Seen)
        case found(PoseNetTracker.Look)
    }

    /// Prepares the models: PoseNet's when there are options for it, else BlazePose's.
    package init(options: BodyPoseOptions, poseNet: PoseNetOptions?, store: ModelStore) throws {
        if let poseNet {
            self.poseNet = try PoseNetTracker(options: poseNet, store: store)
        } else {
            blazePose = try BodyPoseTracker(options: options, store: store)
        }
    }

    /// A look to be taken on any thread; with `ahead` 1 while the frame before is still being worked on.
    package func look(at frame: VideoFrame, ahead: Int) -> @Sendable () throws -> Seen {
        if let poseNet { return { .found(try poseNet.look(at: frame)) } }
        let look = blazePose?.look(at: frame, ahead: ahead)
        return { .followed(try look?.take() ?? FrameLook.Seen()) }
    }

    /// The people in the stream's next frame, which was looked at already; with `searchesLater`, newcomers come by
    /// `catchUp`.
    package mutating func update(_ frame: VideoFrame, seen: Seen, searchesLater: Bool) throws -> [Pose] {
        switch seen {
        case .followed(let seen): try blazePose?.update(frame, seen: seen, searchesLater: searchesLater) ?? []
        case .found(let seen): poseNet?.update(frame, seen: seen) ?? []
        }
    }

    /// Looks for newcomers, if that is due and was put off.
    package mutating func catchUp() throws {
        try blazePose?.catchUp()
    }
}
