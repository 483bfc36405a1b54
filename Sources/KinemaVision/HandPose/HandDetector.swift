import Foundation
import KinemaCore
import KinemaMedia

/// Finds hands in a picture or a part of it, by their palms.
struct HandDetector: Sendable {
    private let detector: AnchorDetector

    init(store: ModelStore, precision: ModelStore.Precision) throws {
        detector = try AnchorDetector(
            ModelCatalogue.palmDetector, anchors: AnchorGrid.palms, store: store, precision: precision)
    }

    /// The palms in a square part of the picture, best first; `nil` looks at the whole picture.
    func detect(
        in frame: VideoFrame, part: Region? = nil, threshold: Float = AnchorDetector.threshold
    ) throws -> [AnchorDetection] {
        try detector.detect(in: frame, part: part, threshold: threshold)
    }
}

extension AnchorDetection {
    /// The square in which a hand's landmarks are looked for, MediaPipe's rule: the palm's box, turned so that the wrist
    /// (keypoint 0) lies below the middle finger's knuckle (2), shifted by half towards it, 2.6 times as large.
    var handRegion: Region {
        let line = keypoints[2] - keypoints[0]
        let angle = Double.pi / 2 - atan2(-line.y, line.x)
        let size = SIMD2(box.z - box.x, box.w - box.y)
        let center = SIMD2(box.x + box.z, box.y + box.w) / 2 + 0.5 * size.y * SIMD2(sin(angle), -cos(angle))
        return Region(center: center, side: 2.6 * size.max(), angle: angle)
    }
}
