import Foundation
public import KinemaCore

/// Draws every person's skeleton over the picture it was found in.
///
/// Lines are bright in a dark outline, so they show on any ground; a joint below `doubtful` is drawn faded and small
/// and its bones dashed, one below `hidden` or outside the picture not at all.
public struct PoseOverlay: Sendable {
    /// Which joints are drawn and connected.
    public var skeleton = Skeleton.body
    /// The confidence below which a joint is not drawn, 0...1.
    public var hidden: Float = 0.2
    /// The confidence below which a joint is drawn as doubtful, 0...1.
    public var doubtful: Float = 0.5

    /// Makes an overlay that draws the whole body.
    public init() {}

    /// Draws the people; `faults` names the joints to draw red, by the person's number (or place in `poses`).
    ///
    /// When there are several, or the only one is not the first, everyone's number stands over the head, or where it hides
    /// nobody's face.
    public func draw(_ poses: [Pose], faults: [Int: Set<JointKey>] = [:], on canvas: Canvas) {
        let figures = poses.enumerated().map { (id: $1.id ?? $0, figure: Figure($1, canvas: canvas, hidden: hidden)) }
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

    /// Where everyone's number stands; nowhere when the first person is alone.
    func plates(for figures: [(id: Int, figure: Figure)], on canvas: Canvas) -> [CGRect] {
        guard figures.count > 1 || figures.contains(where: { $0.id > 1 }) else { return [] }
        let room = CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
        let heads = figures.compactMap(\.figure.head)
        return figures.reduce(into: []) { plates, person in
            // Small figures have small numbers, which still can be read.
            let size = min(max(canvas.shortSide * 0.05, 12), max(person.figure.box.height * 0.14, 12))
            let width = canvas.width(of: String(person.id), size: size) + size * 0.6
            plates.append(
                person.figure.place(width: width, height: size * 1.2, within: room, avoiding: heads + plates))
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
}

/// A pose laid out in a picture's pixels.
struct Figure {
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

    /// The box of the head, from the joints of the face; nil when none is seen.
    var head: CGRect? {
        let face = Self.face.compactMap { joints[$0]?.point }
        guard let nose = joints[.nose]?.point ?? face.first else { return nil }
        let middle = CGPoint(
            x: face.reduce(0) { $0 + $1.x } / Double(face.count), y: face.reduce(0) { $0 + $1.y } / Double(face.count))
        // The crown is as far above the nose as the chin is below: half of what lies between nose and shoulders.
        let neck = joints[.neck]?.point
        let radius = max(
            neck.map { hypot(nose.x - $0.x, nose.y - $0.y) * 0.5 } ?? 0,
            face.map { abs($0.x - middle.x) }.max() ?? 0, max(box.width, box.height) * 0.04)
        return CGRect(x: middle.x - radius, y: middle.y - radius, width: 2 * radius, height: 2 * radius)
    }

    private static let face: [JointKey] = [.nose, .leftEye, .rightEye, .leftEar, .rightEar]

    /// Where a plate of some size belongs: over the head; where there is no room, on the chest or beside the head.
    func place(width: Double, height: Double, within room: CGRect, avoiding taken: [CGRect]) -> CGRect {
        let head = head ?? CGRect(x: box.midX, y: box.minY, width: 0, height: 0)
        let (gap, low) = (height * 0.2, head.maxY + height * 0.5)
        let chest = joints[.neck].map { min($0.point.y + height * 0.4, box.maxY) } ?? low
        let middles = [
            CGPoint(x: head.midX, y: head.minY - gap - height / 2),
            CGPoint(x: joints[.neck]?.point.x ?? head.midX, y: max(chest, low) + height / 2),
            CGPoint(x: head.maxX + gap + width / 2, y: head.midY),
            CGPoint(x: head.minX - gap - width / 2, y: head.midY),
            CGPoint(x: box.midX, y: box.midY), CGPoint(x: box.midX, y: box.maxY - height / 2),
        ]
        let plates = middles.map { CGRect(x: $0.x - width / 2, y: $0.y - height / 2, width: width, height: height) }
        if let free = plates.first(where: { plate in
            room.contains(plate) && !taken.contains { $0.intersects(plate) }
        }) {
            return free
        }
        // In a crowd without room at least within the picture.
        let least = plates[1]
        return CGRect(
            x: min(max(least.minX, 0), max(room.width - width, 0)),
            y: min(max(least.minY, 0), max(room.height - height, 0)), width: width, height: height)
    }
}

extension Canvas {
    /// The shorter side in pixels, by which everything on a picture is sized.
    var shortSide: Double { min(width, height) }
}

/// Which joints a wireframe draws and which of them it connects.
public struct Skeleton: Sendable, Hashable {
    /// A straight line between two joints.
    public struct Bone: Sendable, Hashable {
        /// Where the bone starts.
        public let from: JointKey
        /// Where the bone ends.
        public let to: JointKey
        /// Its thickness as a share of a limb's.
        public let thickness: Double
    }

    /// A joint's mark.
    public struct Dot: Sendable, Hashable {
        /// The joint.
        public let key: JointKey
        /// Its size as a share of a limb joint's.
        public let size: Double
    }

    /// The lines, in drawing order.
    public let bones: [Bone]
    /// The dots on top of the lines.
    public let dots: [Dot]

    /// The body: the 12 segments that Vision's samples draw, and beyond them the head and the feet.
    public static let body = Skeleton(
        bones: segments + head + feet,
        dots: dots(bodyDots, size: 1) + dots(faceDots, size: 0.6) + dots(footDots, size: 0.6))

    /// The 12 segments of a body in Vision's own joints.
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
