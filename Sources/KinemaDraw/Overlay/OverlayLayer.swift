import Foundation
public import KinemaCore

/// A layer drawn on a frame.
public enum OverlayLayer: Sendable {
    /// Body skeletons; `faults` holds the joints to draw in red, by person number.
    case skeletons([Pose], faults: [Int: Set<JointKey>] = [:])
    /// Rings around joints, by person number.
    case joints([Pose], marked: [Int: Set<JointKey>])
    /// Positions and angles of joints, and the rate of the analysis.
    case readout(JointReadout)
    /// Measured angles, the floor and the contacts of the feet.
    case measure(MeasureOverlay)
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

    /// The layer without facial joints, which look like faces themselves; no `default`, so that each new layer decides.
    package var withoutFaces: OverlayLayer {
        switch self {
        case .skeletons(let poses, let faults): .skeletons(poses.map(\.withoutFace), faults: faults)
        case .joints(let poses, let marked): .joints(poses.map(\.withoutFace), marked: marked)
        case .readout(let readout): .readout(readout.withoutFaces)
        case .measure, .hands, .drawing, .trajectories, .toss, .strip, .hud: self
        }
    }
}

extension [OverlayLayer] {
    /// The layers with people and hands elsewhere, as in a frame that was not analysed.
    package func showing(_ people: [Pose], hands: [Pose]) -> [OverlayLayer] {
        map { layer in
            switch layer {
            case .skeletons(_, let faults): .skeletons(people, faults: faults)
            case .joints(_, let marked): .joints(people, marked: marked)
            case .hands: .hands(hands)
            case .readout, .measure, .drawing, .trajectories, .toss, .strip, .hud: layer
            }
        }
    }
}

extension Pose {
    /// The pose without its facial joints.
    var withoutFace: Pose {
        var pose = self
        for key in Skeleton.face { pose.keypoints[key] = nil }
        return pose
    }
}

/// Draws layers on a frame in the given order.
public struct OverlayRenderer: Sendable {
    /// How skeletons look.
    public enum Look: String, CaseIterable, Sendable {
        /// Lines with a dark outline, which stay visible on every background.
        case plain
        /// Glowing bones whose colour runs from joint to joint; white joints, red rings around those below a confidence
        /// of 0.5.
        case glow
    }

    private let look: Look

    /// Creates a renderer.
    public init(look: Look = .plain) { self.look = look }

    /// Draws layers on an image; text stays above the strip chart. Throws `KinemaError.Code.unwritableOutput`.
    public func draw(_ layers: [OverlayLayer], on bitmap: inout Bitmap) throws {
        try bitmap.draw { canvas in
            var stripHeight = 0.0
            for case .strip(let strip) in layers { stripHeight = strip.height(on: canvas) }
            for layer in layers {
                switch layer {
                case .skeletons(let people, let faults):
                    PoseOverlay(look: look).draw(people, faults: faults, on: canvas)
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

extension Canvas {
    /// The shorter side in pixels, which overlays scale with.
    var shortSide: Double { min(width, height) }

    /// The pixel of a normalised point, origin at the lower left.
    func pixel(of point: CGPoint) -> CGPoint { CGPoint(x: point.x * width, y: (1 - point.y) * height) }

    /// The text, cut to `limit` pixels with three dots at the end if it is too long.
    func truncated(_ text: String, size: Double, to limit: Double) -> String {
        guard width(of: text, size: size) > limit else { return text }
        var cut = String(text.prefix(200))
        while !cut.isEmpty, width(of: cut + "...", size: size) > limit { cut.removeLast() }
        return cut + "..."
    }

    /// The largest size, at most `most`, at which a text fits into `limit` pixels.
    func size(of text: String, atMost most: Double, fitting limit: Double) -> Double {
        let width = width(of: text, size: most)
        return width > limit ? most * max(limit, 1) / width : most
    }

    /// Draws a plate for a label, below other plates if it would cover them, and returns its frame.
    func plate(_ place: CGRect, size: Double, below plates: inout [CGRect]) -> CGRect {
        var plate = place
        plate.origin.x = min(max(place.minX, 0), max(width - place.width, 0))
        while let other = plates.first(where: { $0.intersects(plate) }) { plate.origin.y = other.maxY + 1 }
        plates.append(plate)
        fill(plate, cornerRadius: size * 0.25, color: HUD.plate)
        return plate
    }

    /// Draws a text on its shadow, which is shifted to the lower right by `offset` pixels.
    func text(_ text: String, at point: CGPoint, size: Double, color: Color, shadow: Color, offset: Double) {
        let below = CGPoint(x: point.x + offset, y: point.y + offset)
        self.text(text, at: below, size: size, color: shadow, alignment: .center)
        self.text(text, at: point, size: size, color: color, alignment: .center)
    }
}
