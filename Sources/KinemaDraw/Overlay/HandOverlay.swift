import Foundation
import KinemaCore

/// Draws hand skeletons over a picture, with one colour per finger.
struct HandOverlay {
    /// The confidence below which a hand is not drawn, 0...1.
    private static let minimumConfidence: Float = 0.2

    /// The fingers' colours from thumb to little finger; the palette is safe for colour-blind readers.
    static let fingers = [Color.people[4], Color.people[1], Color.people[3], Color.people[2], Color.people[0]]

    /// The palm's lines between the wrist and the base joints of the fingers.
    private static let palm: [(JointKey, JointKey)] = [
        (.wrist, .thumbCMC), (.wrist, .indexMCP), (.wrist, .littleMCP), (.indexMCP, .middleMCP),
        (.middleMCP, .ringMCP), (.ringMCP, .littleMCP),
    ]

    func draw(_ hands: [Pose], on canvas: Canvas) {
        for hand in hands where hand.confidence >= Self.minimumConfidence {
            let points = hand.keypoints.compactMapValues { joint -> CGPoint? in
                guard joint.isValid, (-0.5...1.5).contains(joint.location.x), (-0.5...1.5).contains(joint.location.y)
                else { return nil }
                return canvas.pixel(of: joint.location)
            }
            // A finger is about a tenth of the hand thick; a third of that looks like a line.
            let box = CGRect(around: points.values) ?? .zero
            let width = min(max(max(box.width, box.height) * 0.03, 1.2), max(canvas.shortSide * 0.01, 1.2))
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
}
