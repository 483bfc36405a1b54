import Foundation
public import KinemaCore

/// Draws layers on a frame in the given order.
public struct OverlayRenderer: Sendable {
    /// Creates a renderer.
    public init() {}

    /// Draws layers on an image; text stays above the strip chart. Throws `KinemaError.Code.unwritableOutput`.
    public func draw(_ layers: [OverlayLayer], on bitmap: inout Bitmap) throws {
        try bitmap.draw { canvas in
            var stripHeight = 0.0
            for case .strip(let strip) in layers { stripHeight = strip.height(on: canvas) }
            for layer in layers {
                switch layer {
                case .skeletons(let people, let faults): PoseOverlay().draw(people, faults: faults, on: canvas)
                case .joints(let people, let marked): PoseOverlay().mark(marked, of: people, on: canvas)
                case .readout(let readout): readout.draw(on: canvas)
                case .measure(let overlay): overlay.draw(on: canvas)
                case .hands(let poses): HandOverlay().draw(poses, on: canvas)
                case .drawing(let overlay): overlay.draw(on: canvas)
                case .trajectories(let overlay): overlay.draw(on: canvas)
                case .toss(let overlay): overlay.draw(on: canvas)
                case .strip(let strip): strip.draw(on: canvas)
                case .hud(let hud): hud.draw(on: canvas, above: stripHeight)
                }
            }
        }
    }
}

extension Pose {
    /// Draws the pose as a wireframe; the transform applies to normalised points (origin at the lower left).
    public func drawWireframe(to canvas: Canvas, applying transform: CGAffineTransform = .identity) {
        var pose = self
        for key in pose.keypoints.keys {
            pose.keypoints[key]?.location = keypoints[key]?.location.applying(transform) ?? .zero
        }
        let isHand = keypoints[.thumbTip] != nil || keypoints[.indexTip] != nil
        if isHand { HandOverlay().draw([pose], on: canvas) } else { PoseOverlay().draw([pose], on: canvas) }
    }
}

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
