package import Foundation
package import KinemaCore

/// The strokes drawn in the air so far, with rings at the tips of each hand.
public struct GestureOverlay: Sendable {
    /// A ring at a fingertip (normalised, origin at the lower left).
    package typealias Mark = (point: CGPoint, color: Color)

    package var drawing: AirDrawing
    package var marks: [Mark]

    package init(strokes: [Stroke], marks: [Mark]) {
        drawing = AirDrawing(strokes)
        self.marks = marks
    }

    func draw(on canvas: Canvas) {
        drawing.draw(on: canvas)
        let radius = max(canvas.shortSide * 0.02, 4)
        for mark in marks {
            let center = canvas.pixel(of: mark.point)
            canvas.circle(at: center, radius: radius, color: .outline, width: radius * 0.6)
            canvas.circle(at: center, radius: radius, color: mark.color, width: radius * 0.35)
        }
    }
}
