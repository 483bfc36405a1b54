internal import Foundation
public import KinemaCore

/// A head-up display over an image: a large count and short lines of text, scaled with the image.
public struct HUD: Sendable, Hashable {
    private let count: Int?
    private let caption: String
    private let lines: [String]

    /// Creates a head-up display; nil and empty parts are not drawn. `one` and `several` are the counted noun's forms.
    public init(count: Int? = nil, one: String = "rep", several: String? = nil, lines: [String] = []) {
        self.count = count
        caption = PlainText.noun(count ?? 0, one, several)
        self.lines = lines
    }

    /// Draws the display on a picture; the lowest `bottom` pixels stay free for another overlay.
    func draw(on canvas: Canvas, above bottom: Double = 0) {
        let unit = max(canvas.shortSide / 20, 11)
        if let count { drawCount(count, unit: unit, on: canvas) }
        if !lines.isEmpty {
            let rows = max(Int((canvas.height - bottom - unit * 1.5) / (unit * 1.25)), 1)
            let lines = Array(lines.prefix(rows))
            let height = unit * 1.25 * Double(lines.count) + unit * 0.5
            drawPlate(
                lines, at: CGPoint(x: unit * 0.5, y: canvas.height - bottom - height - unit * 0.5), size: unit,
                on: canvas)
        }
    }

    private func drawCount(_ count: Int, unit: Double, on canvas: Canvas) {
        let number = String(count)
        let size = canvas.size(of: number, atMost: unit * 3.4, fitting: canvas.width - unit * 2)
        let width = max(canvas.width(of: number, size: size), canvas.width(of: caption, size: unit)) + unit
        let height = caption.isEmpty ? unit * 3.3 : unit * 4.4
        let plate = CGRect(x: unit * 0.5, y: unit * 0.5, width: width, height: height)
        canvas.fill(plate, cornerRadius: unit * 0.5, color: Self.plate)
        canvas.text(
            number, at: CGPoint(x: plate.midX, y: plate.minY + unit * 2.9), size: size, color: .white,
            alignment: .center)
        canvas.text(
            caption, at: CGPoint(x: plate.midX, y: plate.minY + unit * 4), size: unit, color: .white.faded(to: 0.85),
            alignment: .center)
    }

    private func drawPlate(_ lines: [String], at corner: CGPoint, size: Double, on canvas: Canvas) {
        let limit = canvas.width - size * 1.8
        let fitted = lines.map { canvas.truncated($0, size: size, to: limit) }
        let width = fitted.map { canvas.width(of: $0, size: size) }.max() ?? 0
        let plate = CGRect(
            x: max(corner.x, 0), y: max(corner.y, 0), width: width + size * 0.9,
            height: size * 1.25 * Double(fitted.count) + size * 0.5)
        canvas.fill(plate, cornerRadius: size * 0.4, color: Self.plate)
        for (row, line) in fitted.enumerated() {
            let base = CGPoint(x: plate.minX + size * 0.45, y: plate.minY + size * (1.2 + 1.25 * Double(row)))
            canvas.text(line, at: base, size: size, color: .white)
        }
    }

    /// The background of text: dark enough for a contrast above 7 to 1 even over white (WCAG 2.1, level AAA).
    static let plate = Color(red: 0.04, green: 0.05, blue: 0.08, alpha: 0.72)
}

/// The numbers behind the skeletons: each joint's position and angle, doubtful joints, and the rate of the analysis.
public struct JointReadout: Sendable {
    private let poses: [Pose]
    private let rate: Double?

    /// The frames per second from which a rate is good (that of film) and sufficient (half of that).
    private static let rates = (good: 24.0, sufficient: 12.0)
    private static let good = Color(hex: 0x2EE06F), sufficient = Color(hex: 0xFFD23F)

    /// The neighbours that define the angle at each joint.
    private static let neighbours: [JointKey: (from: JointKey, to: JointKey)] = [
        .leftElbow: (.leftShoulder, .leftWrist), .rightElbow: (.rightShoulder, .rightWrist),
        .leftShoulder: (.leftElbow, .leftHip), .rightShoulder: (.rightElbow, .rightHip),
        .leftHip: (.leftShoulder, .leftKnee), .rightHip: (.rightShoulder, .rightKnee),
        .leftKnee: (.leftHip, .leftAnkle), .rightKnee: (.rightHip, .rightAnkle),
    ]

    /// Shows people and the frames analysed per second; without a rate, people alone.
    public init(_ poses: [Pose], rate: Double? = nil) { (self.poses, self.rate) = (poses, rate) }

    var withoutFaces: JointReadout { JointReadout(poses.map(\.withoutFace), rate: rate) }

    func draw(on canvas: Canvas) {
        var plates: [CGRect] = []
        for pose in poses { draw(pose, &plates, on: canvas) }
        guard let rate else { return }
        let size = max(canvas.shortSide / 20, 11)
        let text = String(format: "%.1f frames/s", rate)
        let width = canvas.width(of: text, size: size) + size
        let plate = CGRect(x: canvas.width - width - size * 0.5, y: size * 0.5, width: width, height: size * 1.5)
        canvas.fill(plate, cornerRadius: size * 0.4, color: HUD.plate)
        canvas.text(
            text, at: CGPoint(x: plate.midX, y: plate.minY + size * 1.1), size: size, color: Self.color(of: rate),
            alignment: .center)
    }

    static func color(of rate: Double) -> Color {
        rate >= rates.good ? good : rate >= rates.sufficient ? sufficient : .fault
    }

    private func draw(_ pose: Pose, _ plates: inout [CGRect], on canvas: Canvas) {
        let figure = Figure(pose, canvas: canvas, minimumConfidence: 0)
        let size = max(canvas.shortSide * 0.024, 9)
        for dot in Skeleton.dots {
            guard let joint = figure.joints[dot.key] else { continue }
            if joint.confidence < PoseOverlay().doubtfulConfidence {
                canvas.circle(
                    at: joint.point, radius: figure.thickness * 2.6, color: .fault, width: figure.thickness * 0.8)
            }
            guard dot.size == 1 || dot.key == .nose, let text = label(of: dot.key, in: figure, on: canvas) else {
                continue
            }
            let (width, gap) = (canvas.width(of: text, size: size) + 4, figure.thickness * 3 + size * 0.2)
            // On the joint's outer side, so that left and right labels do not overlap, and below other labels.
            let isRight = joint.point.x >= figure.joints[dot.key.mirrored]?.point.x ?? joint.point.x
            let x = isRight ? joint.point.x + gap : joint.point.x - gap - width
            let place = CGRect(x: x, y: joint.point.y - size * 0.55, width: width, height: size * 1.2)
            let plate = canvas.plate(place, size: size, below: &plates)
            canvas.text(text, at: CGPoint(x: plate.minX + 2, y: plate.minY + size * 0.9), size: size, color: .white)
        }
    }

    /// A joint's position, normalised with the origin at the lower left, and its angle in the picture, 0 to 180 degrees.
    func label(of key: JointKey, in figure: Figure, on canvas: Canvas) -> String? {
        guard let joint = figure.joints[key]?.point else { return nil }
        let place = String(format: "%.2f %.2f", joint.x / canvas.width, 1 - joint.y / canvas.height)
        guard let (from, to) = Self.neighbours[key], let one = figure.joints[from]?.point,
            let other = figure.joints[to]?.point
        else { return place }
        let turn = atan2(one.y - joint.y, one.x - joint.x) - atan2(other.y - joint.y, other.x - joint.x)
        return place + String(format: " %.0f\u{B0}", acos(cos(turn)) * 180 / .pi)
    }
}
