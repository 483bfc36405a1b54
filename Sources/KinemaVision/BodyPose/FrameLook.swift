import KinemaMedia

/// The look at one frame: the regions in which known people are expected, and how their landmarks are found.
///
/// Taking a look changes nothing, so it can happen on another thread while the frame before is finished.
package struct FrameLook: Sendable {
    /// What a look showed.
    package struct Seen: Sendable {
        /// By the people's numbers, who was seen and where that one was looked for.
        fileprivate(set) var bodies: [Int: (body: BodyLandmarks, region: Region)] = [:]
    }

    let frame: VideoFrame
    let regions: [(id: Int, region: Region)]
    let landmarker: BodyLandmarker

    /// Runs the landmark model on every region.
    package func take() throws -> Seen {
        var seen = Seen()
        for (id, region) in regions {
            seen.bodies[id] = try landmarker.body(in: frame, region, isFollowed: true).map { ($0, region) }
        }
        return seen
    }
}
