import Foundation
public import KinemaCore

/// One thing that is drawn on a frame.
public enum OverlayLayer: Sendable {
    /// People, with the joints to draw red by the person's number.
    case skeletons([Pose], faults: [Int: Set<JointKey>] = [:])
    /// Hands.
    case hands([Pose])
    /// What hands drew in the air.
    case drawing(GestureOverlay)
    /// What flies.
    case trajectories(TrajectoryOverlay)
    /// A game of bean-bag toss.
    case toss(TossOverlay)
    /// The movement of the last seconds, at the lower edge.
    case strip(StripChart)
    /// The count and short lines of text.
    case hud(HUD)
}

/// Draws layers on a frame, in the order in which they are given.
public struct OverlayRenderer: Sendable {
    /// How people are drawn.
    public var poses = PoseOverlay()
    /// How hands are drawn.
    public var hands = HandOverlay()

    /// Makes a renderer with the usual look.
    public init() {}

    /// Draws layers on a picture; text keeps clear of the strip.
    ///
    /// Throws `KinemaError.Code.unwritableOutput` when Cairo cannot draw.
    public func draw(_ layers: [OverlayLayer], on bitmap: inout Bitmap) throws {
        try bitmap.draw { canvas in
            var stripHeight = 0.0
            for case .strip(let strip) in layers { stripHeight = strip.height(on: canvas) }
            for layer in layers {
                switch layer {
                case .skeletons(let people, let faults): poses.draw(people, faults: faults, on: canvas)
                case .hands(let some): hands.draw(some, on: canvas)
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
    /// Draws the pose as a wireframe on a canvas, its normalised points placed by a transform: the identity fills the
    /// canvas with the picture, origin at the lower left.
    public func drawWireframe(to canvas: Canvas, applying transform: CGAffineTransform = .identity) {
        var moved = self
        for key in moved.keypoints.keys {
            moved.keypoints[key]?.location = keypoints[key]?.location.applying(transform) ?? .zero
        }
        let isHand = keypoints[.thumbTip] != nil || keypoints[.indexTip] != nil
        if isHand { HandOverlay().draw([moved], on: canvas) } else { PoseOverlay().draw([moved], on: canvas) }
    }
}
