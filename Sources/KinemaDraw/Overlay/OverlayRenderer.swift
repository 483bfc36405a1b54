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
