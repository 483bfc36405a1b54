package import Foundation

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
        let start = atan2(zero.y - joint.y, zero.x - joint.x)
        let turn = (atan2(limb.y - joint.y, limb.x - joint.x) - start).remainder(dividingBy: 2 * .pi)
        let radius = min(max(hypot(limb.x - joint.x, limb.y - joint.y) * 0.4, size), size * 2.5)
        func place(_ share: Double, _ radius: Double) -> CGPoint {
            CGPoint(x: joint.x + radius * cos(start + share * turn), y: joint.y + radius * sin(start + share * turn))
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
