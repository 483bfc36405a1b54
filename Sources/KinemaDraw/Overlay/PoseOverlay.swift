package import Foundation
package import KinemaCore

/// Draws body skeletons over a picture.
///
/// A joint below `doubtfulConfidence` is small and faded, with dashed bones; one below `minimumConfidence` or outside
/// the picture is not drawn.
struct PoseOverlay {
    /// The confidence below which a joint is not drawn, 0...1.
    var minimumConfidence: Float = 0.2
    /// The confidence below which a joint is drawn as doubtful, 0...1.
    var doubtfulConfidence: Float = 0.5
    var look = OverlayRenderer.Look.plain

    /// Draws people; `faults` holds the joints to draw in red, by person number (or index in `poses`).
    ///
    /// With several people, or a number above 1, draws each number where it covers no face.
    func draw(_ poses: [Pose], faults: [Int: Set<JointKey>] = [:], on canvas: Canvas) {
        let figures = poses.enumerated()
            .map { (id: $1.id ?? $0, figure: Figure($1, canvas: canvas, minimumConfidence: minimumConfidence)) }
            .filter { !$0.figure.joints.isEmpty }
        for (id, figure) in figures {
            if look == .glow {
                drawGlow(of: figure, color: .person(id), faults: faults[id] ?? [], on: canvas)
                continue
            }
            drawBones(of: figure, color: .person(id), faults: faults[id] ?? [], on: canvas)
            drawDots(of: figure, color: .person(id), faults: faults[id] ?? [], on: canvas)
        }
        for (number, plate) in zip(figures.map(\.id), plates(for: figures, on: canvas)) {
            let size = plate.height / 1.2
            canvas.fill(plate, cornerRadius: size * 0.3, color: .outline)
            canvas.text(
                String(number), at: CGPoint(x: plate.midX, y: plate.minY + size * 0.95), size: size,
                color: .person(number), alignment: .center)
        }
    }

    /// Draws rings around joints, by person number (or index in `poses`), wide enough to leave the dots visible.
    func mark(_ joints: [Int: Set<JointKey>], of poses: [Pose], on canvas: Canvas) {
        for (index, pose) in poses.enumerated() {
            let figure = Figure(pose, canvas: canvas, minimumConfidence: minimumConfidence)
            for key in joints[pose.id ?? index] ?? [] {
                guard let joint = figure.joints[key] else { continue }
                let radius = figure.thickness * 2.6
                let ring = (0...24).map { step in
                    let angle = Double(step) / 24 * 2 * .pi
                    return CGPoint(x: joint.point.x + radius * cos(angle), y: joint.point.y + radius * sin(angle))
                }
                let color = joint.confidence < doubtfulConfidence ? Color.white.faded(to: 0.6) : .white
                canvas.stroke(ring, color: color, width: figure.thickness * 0.8, outline: figure.outline)
            }
        }
    }

    /// The frames of the people's numbers; empty when the first person is alone.
    func plates(for figures: [(id: Int, figure: Figure)], on canvas: Canvas) -> [CGRect] {
        guard figures.count > 1 || figures.contains(where: { $0.id > 1 }) else { return [] }
        let bounds = CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
        let heads = figures.compactMap(\.figure.head)
        return figures.reduce(into: []) { plates, person in
            // Small figures have small numbers, but never below 12 pixels.
            let size = min(max(canvas.shortSide * 0.05, 12), max(person.figure.box.height * 0.14, 12))
            let width = canvas.width(of: String(person.id), size: size) + size * 0.6
            plates.append(
                person.figure.plate(width: width, height: size * 1.2, within: bounds, avoiding: heads + plates))
        }
    }

    private func drawBones(of figure: Figure, color: Color, faults: Set<JointKey>, on canvas: Canvas) {
        for bone in Skeleton.bones {
            guard let from = figure.joints[bone.from], let to = figure.joints[bone.to] else { continue }
            let width = figure.thickness * bone.thickness
            let isDoubtful = min(from.confidence, to.confidence) < doubtfulConfidence
            // A bone is drawn red when both its joints are faulty.
            let ink = faults.contains(bone.from) && faults.contains(bone.to) ? Color.fault : color
            canvas.stroke(
                [from.point, to.point], color: isDoubtful ? ink.faded(to: 0.6) : ink,
                width: isDoubtful ? width * 0.6 : width, outline: figure.outline,
                dash: isDoubtful ? [width * 1.5, width * 2.5] : [])
        }
    }

    /// Bones in the person's colour, brighter towards the end farther from the trunk, with the light of a lamp around them.
    private func drawGlow(of figure: Figure, color: Color, faults: Set<JointKey>, on canvas: Canvas) {
        func ink(_ key: JointKey) -> Color { faults.contains(key) ? .fault : color }
        let bones = Skeleton.bones.compactMap { bone in
            figure.joints[bone.from].flatMap { from in figure.joints[bone.to].map { (bone: bone, from: from, to: $0) } }
        }
        // Widths and shares of the light: together it falls off about as a blurred shadow of the bone's width does.
        for (width, share) in [(5.0, 0.12), (3.2, 0.18), (2.0, 0.28)] {
            for (bone, from, to) in bones {
                canvas.stroke(
                    [from.point, to.point], color: ink(bone.from).faded(to: share),
                    width: figure.thickness * bone.thickness * width)
            }
        }
        for (bone, from, to) in bones {
            canvas.stroke(
                from: from.point, to: to.point, colors: (ink(bone.from), ink(bone.to).lightened(by: 0.6)),
                width: figure.thickness * bone.thickness)
        }
        for dot in Skeleton.dots {
            guard let joint = figure.joints[dot.key] else { continue }
            let radius = figure.thickness * dot.size * 0.9
            canvas.disc(at: joint.point, radius: radius * 2, color: ink(dot.key).faded(to: 0.3))
            canvas.disc(at: joint.point, radius: radius, color: .white)
            canvas.circle(at: joint.point, radius: radius, color: ink(dot.key), width: radius * 0.4)
            guard joint.confidence < doubtfulConfidence else { continue }
            canvas.circle(at: joint.point, radius: radius * 2, color: .fault, width: radius * 0.5)
        }
    }

    private func drawDots(of figure: Figure, color: Color, faults: Set<JointKey>, on canvas: Canvas) {
        for dot in Skeleton.dots {
            guard let joint = figure.joints[dot.key] else { continue }
            let isFault = faults.contains(dot.key)
            let isDoubtful = joint.confidence < doubtfulConfidence
            let radius = figure.thickness * dot.size * (isFault ? 1.5 : isDoubtful ? 0.6 : 1)
            let alpha = isDoubtful ? 0.6 : 1
            canvas.disc(at: joint.point, radius: radius + figure.outline, color: .outline.faded(to: alpha))
            canvas.disc(at: joint.point, radius: radius, color: (isFault ? Color.fault : color).faded(to: alpha))
            if !isFault && !isDoubtful { canvas.disc(at: joint.point, radius: radius * 0.45, color: .outline) }
        }
    }
}

package enum Skeleton {
    /// A straight line between two joints; the thickness is relative to a limb.
    package struct Bone {
        package let from, to: JointKey
        let thickness: Double
    }

    /// A dot at a joint; the size is relative to a limb's joint.
    struct Dot {
        let key: JointKey
        let size: Double
    }

    /// The 12 segments that Vision's samples draw, plus head and feet, in drawing order.
    static let bones = segments + head + feet
    static let dots = dots(BodySkeleton.limbs, size: 1) + dots(face, size: 0.6) + dots(footDots, size: 0.6)

    package static let segments = bones(
        [
            (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist), (.leftHip, .leftKnee), (.leftKnee, .leftAnkle),
            (.rightShoulder, .rightElbow), (.rightElbow, .rightWrist), (.rightHip, .rightKnee),
            (.rightKnee, .rightAnkle), (.leftShoulder, .rightShoulder), (.leftShoulder, .leftHip),
            (.rightShoulder, .rightHip), (.leftHip, .rightHip),
        ], thickness: 1)

    private static let head = bones(
        [
            (.neck, .nose), (.nose, .leftEye), (.leftEye, .leftEar), (.nose, .rightEye), (.rightEye, .rightEar),
        ], thickness: 0.6)

    private static let feet = bones(
        [
            (.leftAnkle, .leftHeel), (.leftHeel, .leftFootTip), (.leftAnkle, .leftFootTip),
            (.rightAnkle, .rightHeel), (.rightHeel, .rightFootTip), (.rightAnkle, .rightFootTip),
        ], thickness: 0.6)

    static let face: [JointKey] = [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
    private static let footDots: [JointKey] = [.leftHeel, .rightHeel, .leftFootTip, .rightFootTip]

    private static func bones(_ pairs: [(JointKey, JointKey)], thickness: Double) -> [Bone] {
        pairs.map { Bone(from: $0.0, to: $0.1, thickness: thickness) }
    }

    private static func dots(_ keys: [JointKey], size: Double) -> [Dot] {
        keys.map { Dot(key: $0, size: size) }
    }
}

/// The strokes drawn in the air so far, with rings at the tips of each hand.
public struct GestureOverlay: Sendable {
    /// A ring at a fingertip (normalised, origin at the lower left).
    package typealias Mark = (point: CGPoint, color: Color)

    package var drawing: AirDrawing
    package var marks: [Mark]

    package init(strokes: [Stroke], marks: [Mark]) {
        drawing = AirDrawing(strokes)
        self.marks = marks
    }

    func draw(on canvas: Canvas) {
        drawing.draw(on: canvas)
        let radius = max(canvas.shortSide * 0.02, 4)
        for mark in marks {
            let center = canvas.pixel(of: mark.point)
            canvas.circle(at: center, radius: radius, color: .outline, width: radius * 0.6)
            canvas.circle(at: center, radius: radius, color: mark.color, width: radius * 0.35)
        }
    }
}
