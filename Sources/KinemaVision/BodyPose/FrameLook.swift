import KinemaMedia

/// The look at one frame: the regions in which known people are expected, and how their landmarks are found.
///
/// Taking a look changes nothing, so it can happen on another thread while the frame before is finished.
package struct FrameLook: Sendable {
    /// What a look showed, by the people's numbers; nil where nobody was.
    package struct Seen: Sendable {
        var bodies: [Int: BodyLandmarks?] = [:]
    }

    let frame: VideoFrame
    let regions: [(id: Int, region: Region)]
    let landmarker: BodyLandmarker

    /// Runs the landmark model on every region.
    package func take() throws -> Seen {
        var seen = Seen()
        for (id, region) in regions {
            seen.bodies[id] = .some(try landmarker.body(in: frame, region, isFollowed: true))
        }
        return seen
    }
}
