import Foundation
public import KinemaCore

/// A layer drawn on a frame.
public enum OverlayLayer: Sendable {
    /// Body skeletons; `faults` holds the joints to draw in red, by person number.
    case skeletons([Pose], faults: [Int: Set<JointKey>] = [:])
    /// Rings around joints, by person number.
    case joints([Pose], marked: [Int: Set<JointKey>])
    /// Hand skeletons.
    case hands([Pose])
    /// Strokes drawn in the air.
    case drawing(GestureOverlay)
    /// Trajectories of flying objects.
    case trajectories(TrajectoryOverlay)
    /// A game of bean-bag toss.
    case toss(TossOverlay)
    /// The movement of the last seconds, along the lower edge.
    case strip(StripChart)
    /// A count and short lines of text.
    case hud(HUD)
}

/// Draws layers on a frame in the given order.
public struct OverlayRenderer: Sendable {
    /// The style of body skeletons.
    public var poses = PoseOverlay()
    /// The style of hand skeletons.
    public var hands = HandOverlay()

    /// Creates a renderer with the default style.
    public init() {}

    /// Draws layers on a picture; text stays above the strip chart.
    ///
    /// Throws `KinemaError.Code.unwritableOutput` when Cairo cannot draw.
    public func draw(_ layers: [OverlayLayer], on bitmap: inout Bitmap) throws {
        try bitmap.draw { canvas in
            var stripHeight = 0.0
            for case .strip(let strip) in layers { stripHeight = strip.height(on: canvas) }
            for layer in layers {
                switch layer {
                case .skeletons(let people, let faults): poses.draw(people, faults: faults, on: canvas)
                case .joints(let people, let marked): poses.mark(marked, of: people, on: canvas)
                case .hands(let poses): hands.draw(poses, on: canvas)
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
    /// Draws the pose as a wireframe on a canvas.
    ///
    /// The transform applies to the normalised points, origin at the lower left; with the identity the picture fills
    /// the canvas.
    public func drawWireframe(to canvas: Canvas, applying transform: CGAffineTransform = .identity) {
        var pose = self
        for key in pose.keypoints.keys {
            pose.keypoints[key]?.location = keypoints[key]?.location.applying(transform) ?? .zero
        }
        let isHand = keypoints[.thumbTip] != nil || keypoints[.indexTip] != nil
        if isHand { HandOverlay().draw([pose], on: canvas) } else { PoseOverlay().draw([pose], on: canvas) }
    }
}
