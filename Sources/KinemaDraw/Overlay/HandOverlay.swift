public import Foundation
public import KinemaCore

/// Draws hand skeletons over a picture, with one colour per finger.
public struct HandOverlay: Sendable {
    /// The confidence below which a hand is not drawn, 0...1.
    public var minimumConfidence: Float = 0.2

    /// The fingers' colours from thumb to little finger; the palette is safe for colour-blind readers.
    public static let fingers = [Color.people[4], Color.people[1], Color.people[3], Color.people[2], Color.people[0]]

    /// The palm's lines between the wrist and the base joints of the fingers.
    private static let palm: [(JointKey, JointKey)] = [
        (.wrist, .thumbCMC), (.wrist, .indexMCP), (.wrist, .littleMCP), (.indexMCP, .middleMCP),
        (.middleMCP, .ringMCP), (.ringMCP, .littleMCP),
    ]

    /// Creates an overlay with the default style.
    public init() {}

    /// Draws the hands.
    public func draw(_ hands: [Pose], on canvas: Canvas) {
        for hand in hands where hand.confidence >= minimumConfidence {
            let points = hand.keypoints.compactMapValues { joint -> CGPoint? in
                guard joint.isValid, (-0.5...1.5).contains(joint.location.x), (-0.5...1.5).contains(joint.location.y)
                else {
                    return nil
                }
                return canvas.pixel(of: joint.location)
            }
            // A finger is about a tenth of the hand thick; a third of that looks like a line.
            let width = min(max(size(of: points) * 0.03, 1.2), max(canvas.shortSide * 0.01, 1.2))
            draw(points, width: width, on: canvas)
        }
    }

    private func draw(_ points: [JointKey: CGPoint], width: Double, on canvas: Canvas) {
        let outline = max(width * 0.35, 0.8)
        for (from, to) in Self.palm {
            guard let from = points[from], let to = points[to] else { continue }
            canvas.stroke([from, to], color: .white, width: width * 0.8, outline: outline)
        }
        for (finger, color) in zip(HandSkeleton.fingers, Self.fingers) {
            canvas.stroke(finger.compactMap { points[$0] }, color: color, width: width, outline: outline)
        }
        for (finger, color) in zip([[.wrist]] + HandSkeleton.fingers, [.white] + Self.fingers) {
            for key in finger {
                guard let point = points[key] else { continue }
                let radius = width * (key == finger.last ? 1.3 : 1)
                canvas.disc(at: point, radius: radius + outline, color: .outline)
                canvas.disc(at: point, radius: radius, color: color)
            }
        }
    }

    /// The longer side of the hand's bounding box in pixels.
    private func size(of points: [JointKey: CGPoint]) -> Double {
        let (xs, ys) = (points.values.map(\.x), points.values.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return 0 }
        return max(right - left, bottom - top)
    }
}

/// The strokes drawn in the air so far, with rings at the tips of each hand.
public struct GestureOverlay: Sendable {
    /// A ring at a fingertip.
    public struct Mark: Sendable {
        /// The fingertip, normalised, origin at the lower left.
        public var point: CGPoint
        /// The ring's colour.
        public var color: Color

        /// Creates a ring at a normalised point.
        public init(point: CGPoint, color: Color) {
            self.point = point
            self.color = color
        }
    }

    /// The strokes so far.
    public var drawing: AirDrawing
    /// The rings of this frame.
    public var marks: [Mark]

    /// Creates an overlay of strokes and rings.
    public init(strokes: [Stroke], marks: [Mark]) {
        drawing = AirDrawing(strokes)
        self.marks = marks
    }

    /// Draws the strokes, then the rings on top.
    public func draw(on canvas: Canvas) {
        drawing.draw(on: canvas)
        let radius = max(canvas.shortSide * 0.02, 4)
        for mark in marks {
            let center = canvas.pixel(of: mark.point)
            canvas.circle(at: center, radius: radius, color: .outline, width: radius * 0.6)
            canvas.circle(at: center, radius: radius, color: mark.color, width: radius * 0.35)
        }
    }
}
