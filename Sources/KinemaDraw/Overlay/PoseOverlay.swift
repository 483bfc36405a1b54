import Foundation
public import KinemaCore

/// Draws body skeletons over a picture.
///
/// Bright lines with a dark outline are visible on any background. A joint below `doubtfulConfidence` is small and
/// faded, with dashed bones; one below `minimumConfidence` or outside the picture is not drawn.
public struct PoseOverlay: Sendable {
    /// The joints to draw and the bones between them.
    public var skeleton = Skeleton.body
    /// The confidence below which a joint is not drawn, 0...1.
    public var minimumConfidence: Float = 0.2
    /// The confidence below which a joint is drawn as doubtful, 0...1.
    public var doubtfulConfidence: Float = 0.5

    /// Creates an overlay that draws the whole body.
    public init() {}

    /// Draws people; `faults` holds the joints to draw in red, by person number (or index in `poses`).
    ///
    /// With several people, or one whose number is above 1, each number is drawn above the head or wherever it covers
    /// no face.
    public func draw(_ poses: [Pose], faults: [Int: Set<JointKey>] = [:], on canvas: Canvas) {
        let figures = poses.enumerated()
            .map { (id: $1.id ?? $0, figure: Figure($1, canvas: canvas, minimumConfidence: minimumConfidence)) }
            .filter { !$0.figure.joints.isEmpty }
        for (id, figure) in figures {
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
    public func mark(_ joints: [Int: Set<JointKey>], of poses: [Pose], on canvas: Canvas) {
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
        for bone in skeleton.bones {
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

    private func drawDots(of figure: Figure, color: Color, faults: Set<JointKey>, on canvas: Canvas) {
        for dot in skeleton.dots {
            guard let joint = figure.joints[dot.key] else { continue }
            let isFault = faults.contains(dot.key)
            let isDoubtful = joint.confidence < doubtfulConfidence
            let radius = figure.thickness * dot.size * (isFault ? 1.5 : isDoubtful ? 0.6 : 1)
            let alpha = isDoubtful ? 0.6 : 1
            canvas.disc(at: joint.point, radius: radius + figure.outline, color: .outline.faded(to: alpha))
            canvas.disc(at: joint.point, radius: radius, color: (isFault ? Color.fault : color).faded(to: alpha))
            if !isFault && !isDoubtful {
                canvas.disc(at: joint.point, radius: radius * 0.45, color: .outline)
            }
        }
    }
}

/// A pose in a picture's pixels.
struct Figure {
    var joints: [JointKey: (point: CGPoint, confidence: Float)] = [:]
    var box = CGRect.zero
    var thickness = 0.0
    var outline = 0.0

    init(_ pose: Pose, canvas: Canvas, minimumConfidence: Float) {
        var low = CGPoint(x: CGFloat.infinity, y: .infinity)
        var high = CGPoint(x: -CGFloat.infinity, y: -.infinity)
        for (key, joint) in pose.keypoints where joint.confidence >= minimumConfidence {
            // Also false for NaN.
            guard (0...1).contains(joint.location.x), (0...1).contains(joint.location.y) else { continue }
            let point = canvas.pixel(of: joint.location)
            joints[key] = (point, joint.confidence)
            low = CGPoint(x: min(low.x, point.x), y: min(low.y, point.y))
            high = CGPoint(x: max(high.x, point.x), y: max(high.y, point.y))
        }
        guard !joints.isEmpty else { return }
        box = CGRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
        // A limb's thickness is about 5% of the body; a quarter of that looks like a line. It is at least 1.5 pixels
        // and at most 1.2% of the picture.
        thickness = min(max(max(box.width, box.height) * 0.0125, 1.5), max(canvas.shortSide * 0.012, 1.5))
        outline = max(thickness * 0.35, 1)
    }

    /// The bounding box of the head, from the face's joints; nil when none is visible.
    var head: CGRect? {
        let face = Self.face.compactMap { joints[$0]?.point }
        guard let nose = joints[.nose]?.point ?? face.first else { return nil }
        let middle = CGPoint(
            x: face.reduce(0) { $0 + $1.x } / Double(face.count), y: face.reduce(0) { $0 + $1.y } / Double(face.count))
        // The crown is as far above the nose as the chin is below it: half the distance from nose to neck.
        let neck = joints[.neck]?.point
        let radius = max(
            neck.map { hypot(nose.x - $0.x, nose.y - $0.y) * 0.5 } ?? 0,
            face.map { abs($0.x - middle.x) }.max() ?? 0, max(box.width, box.height) * 0.04)
        return CGRect(x: middle.x - radius, y: middle.y - radius, width: 2 * radius, height: 2 * radius)
    }

    private static let face: [JointKey] = [.nose, .leftEye, .rightEye, .leftEar, .rightEar]

    /// The frame of a plate above the head or, if that is taken, on the chest or beside the head.
    func plate(width: Double, height: Double, within bounds: CGRect, avoiding taken: [CGRect]) -> CGRect {
        let head = head ?? CGRect(x: box.midX, y: box.minY, width: 0, height: 0)
        let (gap, low) = (height * 0.2, head.maxY + height * 0.5)
        let chest = joints[.neck].map { min($0.point.y + height * 0.4, box.maxY) } ?? low
        let centers = [
            CGPoint(x: head.midX, y: head.minY - gap - height / 2),
            CGPoint(x: joints[.neck]?.point.x ?? head.midX, y: max(chest, low) + height / 2),
            CGPoint(x: head.maxX + gap + width / 2, y: head.midY),
            CGPoint(x: head.minX - gap - width / 2, y: head.midY),
            CGPoint(x: box.midX, y: box.midY), CGPoint(x: box.midX, y: box.maxY - height / 2),
        ]
        let plates = centers.map { CGRect(x: $0.x - width / 2, y: $0.y - height / 2, width: width, height: height) }
        if let free = plates.first(where: { plate in
            bounds.contains(plate) && !taken.contains { $0.intersects(plate) }
        }) {
            return free
        }
        // In a dense crowd the plate goes on the chest, moved into the picture.
        let fallback = plates[1]
        return CGRect(
            x: min(max(fallback.minX, 0), max(bounds.width - width, 0)),
            y: min(max(fallback.minY, 0), max(bounds.height - height, 0)), width: width, height: height)
    }
}

extension Canvas {
    /// The shorter side in pixels, which overlays scale with.
    var shortSide: Double { min(width, height) }
}

/// The joints a wireframe draws and the bones between them.
public struct Skeleton: Sendable, Hashable {
    /// A straight line between two joints.
    public struct Bone: Sendable, Hashable {
        /// The first joint.
        public let from: JointKey
        /// The second joint.
        public let to: JointKey
        /// The thickness relative to a limb.
        public let thickness: Double
    }

    /// A dot at a joint.
    public struct Dot: Sendable, Hashable {
        /// The joint.
        public let key: JointKey
        /// The size relative to a limb's joint.
        public let size: Double
    }

    /// The bones in drawing order.
    public let bones: [Bone]
    /// The dots drawn on top of the bones.
    public let dots: [Dot]

    /// The body: the 12 segments that Vision's samples draw, plus head and feet.
    public static let body = Skeleton(
        bones: segments + head + feet,
        dots: dots(bodyDots, size: 1) + dots(faceDots, size: 0.6) + dots(footDots, size: 0.6))

    /// The 12 body segments between Vision's joints.
    public static let segments: [Bone] =
        bones(
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

    private static let bodyDots: [JointKey] = [
        .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip,
        .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
    ]
    private static let faceDots: [JointKey] = [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
    private static let footDots: [JointKey] = [.leftHeel, .rightHeel, .leftFootTip, .rightFootTip]

    private static func bones(_ pairs: [(JointKey, JointKey)], thickness: Double) -> [Bone] {
        pairs.map { Bone(from: $0.0, to: $0.1, thickness: thickness) }
    }

    private static func dots(_ keys: [JointKey], size: Double) -> [Dot] {
        keys.map { Dot(key: $0, size: size) }
    }
}
