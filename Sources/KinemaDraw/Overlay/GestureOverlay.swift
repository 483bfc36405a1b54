package import Foundation
package import KinemaCore

/// What hands drew in the air so far, and where they draw now.
package struct GestureOverlay: Sendable {
    /// A ring where a hand's tips are.
    package struct Mark: Sendable {
        /// The middle between the tips: normalised, origin at the lower left.
        package var point: CGPoint
        /// The ring's colour.
        package var color: Color

        /// Makes a ring at a normalised point.
        package init(point: CGPoint, color: Color) {
            self.point = point
            self.color = color
        }
    }

    /// The lines so far.
    package var drawing: AirDrawing
    /// The rings of this frame.
    package var marks: [Mark]

    /// Makes an overlay of lines and rings.
    package init(strokes: [Stroke], marks: [Mark]) {
        drawing = AirDrawing(strokes)
        self.marks = marks
    }

    /// Draws the lines, then the rings.
    package func draw(on canvas: Canvas) {
        drawing.draw(on: canvas)
        let radius = max(canvas.shortSide * 0.02, 4)
        for mark in marks {
            let center = canvas.place(mark.point)
            canvas.circle(at: center, radius: radius, color: .outline, width: radius * 0.6)
            canvas.circle(at: center, radius: radius, color: mark.color, width: radius * 0.35)
        }
    }
}
