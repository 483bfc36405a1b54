import KinemaMedia

/// One run of the landmark model over the regions of a frame where tracked people are expected. A pass changes no
/// state, so it can run on another thread while the previous frame is being finished.
package struct LandmarkPass: Sendable {
    /// The result for one person.
    enum Finding: Sendable {
        case body(BodyLandmarks, Region)
        case still
    }

    package struct Result: Sendable {
        /// By person number; none for a person who was not found.
        fileprivate(set) var findings: [Int: Finding] = [:]
    }

    struct Expectation: Sendable {
        var id: Int
        var region: Region
        /// The last view of a person who may be at rest.
        var lastView: PersonView?
    }

    let frame: VideoFrame
    let people: [Expectation]
    let landmarker: BodyLandmarker
    /// Whether to keep views, to hold people at rest.
    let keepsViews: Bool

    package func run() throws -> Result {
        var result = Result()
        for person in people {
            result.findings[person.id] =
                if keepsViews {
                    try landmarker.find(in: frame, person.region, since: person.lastView)
                } else {
                    try landmarker.body(in: frame, person.region, isTracked: true).map { .body($0, person.region) }
                }
        }
        return result
    }
}
