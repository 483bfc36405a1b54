import KinemaCore
import KinemaMedia

/// Finds bodies in a picture or a part of it.
struct BodyDetector: Sendable {
    private let detector: AnchorDetector

    init(store: ModelStore, precision: ModelStore.Precision) throws {
        detector = try AnchorDetector(
            ModelCatalogue.bodyDetector, anchors: AnchorGrid.bodies, store: store, precision: precision)
    }

    /// The bodies in a square part of the picture, best first; `nil` looks at the whole picture.
    func detect(in frame: VideoFrame, part: Region? = nil) throws -> [AnchorDetection] {
        try detector.detect(in: frame, part: part)
    }
}

extension AnchorDetection {
    /// The square in which a body's landmarks are looked for.
    ///
    /// The keypoints are the middle of the hips, the full body's rim, the middle of the shoulders, the upper body's rim.
    var bodyRegion: Region {
        Region(middle: keypoints[0], rim: keypoints[1])
    }
}
