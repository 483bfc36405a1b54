import Foundation
import KinemaCore

struct Figure {
    var joints: [JointKey: (point: CGPoint, confidence: Float)] = [:]
    var box = CGRect.zero
    var thickness = 0.0, outline = 0.0

    init(_ pose: Pose, canvas: Canvas, minimumConfidence: Float) {
        for (key, joint) in pose.keypoints where joint.confidence >= minimumConfidence {
            // Also false for NaN.
            guard (0...1).contains(joint.location.x), (0...1).contains(joint.location.y) else { continue }
            joints[key] = (canvas.pixel(of: joint.location), joint.confidence)
        }
        guard let box = CGRect(around: joints.values.lazy.map(\.point)) else { return }
        self.box = box
        // A quarter of a limb's thickness of 5% of the body, but 1.5 pixels to 1.2% of the picture.
        thickness = min(max(max(box.width, box.height) * 0.0125, 1.5), max(canvas.shortSide * 0.012, 1.5))
        outline = max(thickness * 0.35, 1)
    }

    /// The bounding box of the head, from the face's joints; nil when none is visible.
    var head: CGRect? {
        let face = Skeleton.face.compactMap { joints[$0]?.point }
        guard let nose = joints[.nose]?.point ?? face.first else { return nil }
        let middle = CGPoint(
            x: face.reduce(0) { $0 + $1.x } / Double(face.count), y: face.reduce(0) { $0 + $1.y } / Double(face.count))
        // The crown is as far above the nose as the chin is below it: half the distance from nose to neck.
        let neck = joints[.neck]?.point
        let radius = max(
            neck.map { hypot(nose.x - $0.x, nose.y - $0.y) * 0.5 } ?? 0,
            face.map { abs($0.x - middle.x) }.max() ?? 0, max(box.width, box.height) * 0.04)
        return CGRect(x: middle.x - radius, y: middle.y - radius, width: 2 * radius, height: 2 * radius)
    }

    /// The frame of a plate: above the head or, if that is occupied, on the chest or beside the head.
    func plate(width: Double, height: Double, within bounds: CGRect, avoiding taken: [CGRect]) -> CGRect {
        let head = head ?? CGRect(x: box.midX, y: box.minY, width: 0, height: 0)
        let (gap, low) = (height * 0.2, head.maxY + height * 0.5)
        let chest = joints[.neck].map { min($0.point.y + height * 0.4, box.maxY) } ?? low
        let centers = [
            CGPoint(x: head.midX, y: head.minY - gap - height / 2),
            CGPoint(x: joints[.neck]?.point.x ?? head.midX, y: max(chest, low) + height / 2),
            CGPoint(x: head.maxX + gap + width / 2, y: head.midY),
            CGPoint(x: head.minX - gap - width / 2, y: head.midY),
            CGPoint(x: box.midX, y: box.midY), CGPoint(x: box.midX, y: box.maxY - height / 2),
        ]
        let plates = centers.map { CGRect(x: $0.x - width / 2, y: $0.y - height / 2, width: width, height: height) }
        if let free = plates.first(where: { plate in
            bounds.contains(plate) && !taken.contains { $0.intersects(plate) }
        }) {
            return free
        }
        // In a dense crowd the plate goes on the chest, moved into the picture.
        let fallback = plates[1]
        return CGRect(
            x: min(max(fallback.minX, 0), max(bounds.width - width, 0)),
            y: min(max(fallback.minY, 0), max(bounds.height - height, 0)), width: width, height: height)
    }
}
