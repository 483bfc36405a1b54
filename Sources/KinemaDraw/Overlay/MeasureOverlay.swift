package import Foundation
import KinemaCore

/// Measured angles over an image, with the floor and the contacts of the feet.
public struct MeasureOverlay: Sendable {
    /// An angle at a joint, from the direction in which it is 0 to that of the limb. Points are normalised, origin at the
    /// lower left.
    package typealias Angle = (side: String, degrees: Double, joint: CGPoint, zero: CGPoint, limb: CGPoint)
    /// A point on the floor, normalised, with its label.
    package typealias Mark = (point: CGPoint, side: String, text: String)

    private let angles: [Angle]
    private let floor: [CGPoint]
    private let marks: [Mark]

    package init(_ angles: [Angle], floor: [CGPoint], marks: [Mark]) {
        (self.angles, self.floor, self.marks) = (angles, floor, marks)
    }

    func draw(on canvas: Canvas) {
        let size = max(canvas.shortSide * 0.026, 11)
        let width = max(canvas.shortSide * 0.003, 1.2)
        canvas.stroke(
            floor.map(canvas.pixel(of:)), color: .white, width: width, outline: width * 0.5, dash: [size, size * 0.5])
        var plates: [CGRect] = []
        for mark in marks {
            let point = canvas.pixel(of: mark.point)
            canvas.stroke(
                [point, CGPoint(x: point.x, y: point.y + size * 0.8)], color: Self.color(mark.side), width: width * 2,
                outline: width * 0.5)
            if !mark.text.isEmpty {
                label(mark.text, around: CGPoint(x: point.x, y: point.y + size * 1.5), size, .white, &plates, canvas)
            }
        }
        for angle in angles { draw(angle, size, width, &plates, on: canvas) }
    }

    private func draw(
        _ angle: Angle, _ size: Double, _ width: Double, _ plates: inout [CGRect], on canvas: Canvas
    ) {
        let (joint, zero, limb) = (
            canvas.pixel(of: angle.joint), canvas.pixel(of: angle.zero), canvas.pixel(of: angle.limb)
        )
        let start = Double(atan2(zero.y - joint.y, zero.x - joint.x))
        let turn = (Double(atan2(limb.y - joint.y, limb.x - joint.x)) - start).remainder(dividingBy: 2 * .pi)
        let radius = min(max(Double(hypot(limb.x - joint.x, limb.y - joint.y)) * 0.4, size), size * 2.5)
        func place(_ share: Double, _ radius: Double) -> CGPoint {
            let angle = start + share * turn
            return CGPoint(x: Double(joint.x) + radius * cos(angle), y: Double(joint.y) + radius * sin(angle))
        }
        let color = Self.color(angle.side)
        let arc = (0...24).map { place(Double($0) / 24, radius) }
        canvas.fill([joint] + arc, color: color.faded(to: 0.35))
        canvas.stroke(
            [joint, place(0, radius * 1.4)], color: .white, width: width, outline: width * 0.4,
            dash: [width * 3, width * 3])
        canvas.stroke([joint, place(1, radius * 1.4)], color: .white, width: width, outline: width * 0.4)
        canvas.stroke(arc, color: color, width: width * 1.5, outline: width * 0.4)
        label(
            String(format: "%.0f\u{B0}", angle.degrees), around: place(0.5, radius + size * 1.4), size, color, &plates,
            canvas)
    }

    /// Draws a text on a plate around a point, below other plates if it would cover them.
    private func label(
        _ text: String, around point: CGPoint, _ size: Double, _ color: Color, _ plates: inout [CGRect],
        _ canvas: Canvas
    ) {
        let width = canvas.width(of: text, size: size) + size * 0.4
        let place = CGRect(x: point.x - width / 2, y: point.y - size * 0.6, width: width, height: size * 1.2)
        let plate = canvas.plate(place, size: size, below: &plates)
        canvas.text(
            text, at: CGPoint(x: plate.midX, y: plate.minY + size * 0.95), size: size, color: color, alignment: .center)
    }

    /// Left is blue and right is orange, as in the charts.
    private static func color(_ side: String) -> Color {
        side == "left" ? Color.people[0] : side == "right" ? Color.people[1] : Color.people[2]
    }
}

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
        let chin: CGFloat = neck.map { hypot(nose.x - $0.x, nose.y - $0.y) * 0.5 } ?? 0
        let ears: CGFloat = face.map { abs($0.x - middle.x) }.max() ?? 0
        let radius = max(chin, ears, max(box.width, box.height) * 0.04)
        return CGRect(x: middle.x - radius, y: middle.y - radius, width: 2 * radius, height: 2 * radius)
    }

    /// The frame of a plate: above the head or, if that is occupied, on the chest or beside the head.
    func plate(width: Double, height: Double, within bounds: CGRect, avoiding taken: [CGRect]) -> CGRect {
        let head = head ?? CGRect(x: box.midX, y: box.minY, width: 0, height: 0)
        let (gap, low) = (height * 0.2, Double(head.maxY) + height * 0.5)
        let chest = joints[.neck].map { min(Double($0.point.y) + height * 0.4, Double(box.maxY)) } ?? low
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
