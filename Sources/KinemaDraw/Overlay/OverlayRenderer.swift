package import KinemaCore

/// Draws on a frame everything a viewer should see: skeletons, then the strip chart and the head-up display on top.
package struct OverlayRenderer: Sendable {
    /// How people are drawn.
    package var poses = PoseOverlay()
    /// How hands are drawn.
    package var hands = HandOverlay()

    /// Makes a renderer with the usual look.
    package init() {}

    /// Draws people, hands, what they drew in the air, what flies, a game of bean-bag toss, the strip and the display on a
    /// picture; `faults` names joints to draw red by the person's number.
    ///
    /// Throws `KinemaError.Code.unwritableOutput` when Cairo cannot draw.
    package func draw(
        poses people: [Pose], hands someHands: [Pose] = [], gestures: GestureOverlay? = nil,
        trajectories: TrajectoryOverlay? = nil, toss: TossOverlay? = nil, hud: HUD = HUD(),
        strip: StripChart? = nil, faults: [Int: Set<JointKey>] = [:],
        on bitmap: inout Bitmap
    ) throws {
        try bitmap.draw { canvas in
            poses.draw(people, faults: faults, on: canvas)
            gestures?.draw(on: canvas)
            trajectories?.draw(on: canvas)
            toss?.draw(on: canvas)
            hands.draw(someHands, on: canvas)
            strip?.draw(on: canvas)
            hud.draw(on: canvas, above: strip?.height(on: canvas) ?? 0)
        }
    }
}
