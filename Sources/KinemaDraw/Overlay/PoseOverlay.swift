package import KinemaCore
internal import Foundation

/// Draws every person's skeleton over the picture it was found in.
///
/// Lines are bright in a dark outline, so they show on any ground; a joint below `doubtful` is drawn faded and small
/// and its bones dashed, one below `hidden` or outside the picture not at all.
package struct PoseOverlay: Sendable {
    /// Which joints are drawn and connected.
    package var skeleton = Skeleton.body
    /// The confidence below which a joint is not drawn, 0...1.
    package var hidden: Float = 0.2
    /// The confidence below which a joint is drawn as doubtful, 0...1.
    package var doubtful: Float = 0.5
    /// Whether a person's number stands above the head.
    package var showsLabels = false

    /// Makes an overlay that draws the whole body without labels.
    package init() {}

    /// Draws the people; `faults` names the joints to draw red, by the person's number (or place in `poses`).
    package func draw(_ poses: [Pose], faults: [Int: Set<JointKey>] = [:], on canvas: Canvas) {
        for (index, pose) in poses.enumerated() {
            let id = pose.id ?? index
            let figure = Figure(pose, canvas: canvas, hidden: hidden)
            guard figure.joints.count > 0 else { continue }
            drawBones(of: figure, color: .person(id), faults: faults[id] ?? [], on: canvas)
            drawDots(of: figure, color: .person(id), faults: faults[id] ?? [], on: canvas)
            if showsLabels { drawLabel(String(id), of: figure, color: .person(id), on: canvas) }
        }
    }

    private func drawBones(of figure: Figure, color: Color, faults: Set<JointKey>, on canvas: Canvas) {
        for bone in skeleton.bones {
            guard let from = figure.joints[bone.from], let to = figure.joints[bone.to] else { continue }
            let width = figure.thickness * bone.thickness
            let isDoubtful = min(from.confidence, to.confidence) < doubtful
            // A bone is at fault when both its ends are.
            let ink = faults.contains(bone.from) && faults.contains(bone.to) ? Color.fault : color
            canvas.stroke(
                [from.point, to.point], color: isDoubtful ? ink.faded(to: 0.6) : ink,
                width: isDoubtful ? width * 0.6 : width, outline: figure.outline,
                dash: isDoubtful ? [width * 1.5, width * 2.5] : [])
        }
    }

    private func drawDots(of figure: Figure, color: Color, faults: Set<JointKey>, on canvas: Canvas) {
        for dot in skeleton.dots {
            guard let joint = figure.joints[dot.key] else { continue }
            let isFault = faults.contains(dot.key)
            let isDoubtful = joint.confidence < doubtful
            let radius = figure.thickness * dot.size * (isFault ? 1.5 : isDoubtful ? 0.6 : 1)
            let alpha = isDoubtful ? 0.6 : 1
            canvas.disc(at: joint.point, radius: radius + figure.outline, color: .outline.faded(to: alpha))
            canvas.disc(at: joint.point, radius: radius, color: (isFault ? Color.fault : color).faded(to: alpha))
            if !isFault && !isDoubtful {
                canvas.disc(at: joint.point, radius: radius * 0.45, color: .outline)
            }
        }
    }

    private func drawLabel(_ text: String, of figure: Figure, color: Color, on canvas: Canvas) {
        let size = min(max(canvas.shortSide * 0.05, 10), max(figure.box.height * 0.12, 10))
        let width = canvas.width(of: text, size: size)
        let plate = CGRect(
            x: min(max(figure.box.midX - width / 2 - size * 0.3, 0), max(canvas.width - width - size * 0.6, 0)),
            y: max(figure.box.minY - size * 2, 0), width: width + size * 0.6, height: size * 1.2)
        canvas.fill(plate, cornerRadius: size * 0.3, color: .outline)
        canvas.text(
            text, at: CGPoint(x: plate.midX, y: plate.minY + size * 0.95), size: size, color: color, alignment: .center)
    }
}

/// A pose laid out in a picture's pixels.
private struct Figure {
    var joints: [JointKey: (point: CGPoint, confidence: Float)] = [:]
    var box = CGRect.zero
    var thickness = 0.0
    var outline = 0.0

    init(_ pose: Pose, canvas: Canvas, hidden: Float) {
        var low = CGPoint(x: CGFloat.infinity, y: .infinity)
        var high = CGPoint(x: -CGFloat.infinity, y: -.infinity)
        for (key, joint) in pose.keypoints where joint.confidence >= hidden {
            // Also false for positions that are not numbers.
            guard (0...1).contains(joint.location.x), (0...1).contains(joint.location.y) else { continue }
            let point = CGPoint(x: joint.location.x * canvas.width, y: (1 - joint.location.y) * canvas.height)
            joints[key] = (point, joint.confidence)
            low = CGPoint(x: min(low.x, point.x), y: min(low.y, point.y))
            high = CGPoint(x: max(high.x, point.x), y: max(high.y, point.y))
        }
        guard !joints.isEmpty else { return }
        box = CGRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
        // A limb is about 5 % of a body thick; a quarter of that reads as a line. Never finer than a pixel and a half,
        // never coarser than 1 % of the picture.
        thickness = min(max(max(box.width, box.height) * 0.0125, 1.5), max(canvas.shortSide * 0.012, 1.5))
        outline = max(thickness * 0.35, 1)
    }
}

extension Canvas {
    /// The shorter side in pixels, by which everything on a picture is sized.
    var shortSide: Double { min(width, height) }
}
