import KinemaMedia

/// One run of the landmark model over the expected regions. It changes no state, so it can run on another thread.
package struct LandmarkPass: Sendable {
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
        var lastView: PersonView?
    }

    let frame: VideoFrame
    let people: [Expectation]
    let landmarker: BodyLandmarker
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
