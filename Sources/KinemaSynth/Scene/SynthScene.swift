import Foundation
package import KinemaCore
import KinemaDraw
import Synchronization

package struct SynthScene: Sendable {
    package struct Person: Sendable {
        package var id: Int
        package var performance: Performance
    }

    package struct Shot: Sendable {
        /// Seconds from the first frame; 0 for the first shot.
        package var start: Double
        package var camera: SynthCamera

        package init(start: Double, camera: SynthCamera) { (self.start, self.camera) = (start, camera) }
    }

    package struct Settings: Sendable {
        package var width, height: Int
        package var frameRate: FrameRate
        /// The standard deviation of the sensor noise, in steps of 255.
        package var noise = 2.0
        /// The exposure, 1 for normal.
        package var brightness = 1.0
        /// The seed for grain and camera shake.
        package var seed: UInt64

        package init(width: Int = 640, height: Int = 480, frameRate: FrameRate = .thirty, seed: UInt64 = 1) {
            (self.width, self.height, self.frameRate, self.seed) = (width, height, frameRate, seed)
        }

        static func random(
            size: (Int, Int), rates: [FrameRate], noise: ClosedRange<Double>, brightness: ClosedRange<Double>,
            using random: inout RandomSource
        ) -> Settings {
            var settings = Settings(width: size.0, height: size.1, frameRate: random.pick(rates), seed: random.next())
            settings.noise = random.number(in: noise)
            settings.brightness = random.number(in: brightness)
            return settings
        }
    }

    package let people: [Person]
    let props: [Solid]
    package var shots: [Shot]
    package let backdrop: Backdrop
    package let settings: Settings
    let title: TitleCard?
    /// The game of bean-bag toss played by the first person, if any.
    let toss: TossStage?
    package let frameCount: Int
    var balls: [ThrownBall] = []
    /// The test of movement that the first person performs, if the scene is one to measure.
    var test: MovementTest?
    private let backgrounds = BackgroundCache()

    /// Makes a scene that lasts until the last person is done, or for the given number of seconds.
    init(
        people: [Person], props: [Solid] = [], shots: [Shot], backdrop: Backdrop, settings: Settings,
        duration: Double? = nil, title: TitleCard? = nil, toss: TossStage? = nil
    ) {
        precondition(!shots.isEmpty, "a scene needs a camera")
        (self.people, self.props) = (people, props)
        self.shots = shots.sorted { $0.start < $1.start }
        (self.backdrop, self.settings, self.title, self.toss) = (backdrop, settings, title, toss)
        let seconds = duration ?? people.map(\.performance.duration).max() ?? 1
        frameCount = max(1, Int((seconds * settings.frameRate.perSecond).rounded()))
    }

    /// Makes a scene of one shot in a random room.
    init(
        people: [Person], props: [Solid] = [], camera: SynthCamera, settings: Settings, duration: Double? = nil,
        toss: TossStage? = nil, room random: inout RandomSource
    ) {
        self.init(
            people: people, props: props, shots: [Shot(start: 0, camera: camera)], backdrop: .random(using: &random),
            settings: settings, duration: duration, toss: toss)
    }

    package var frameRate: FrameRate { settings.frameRate }
    /// The width and height of the picture, in pixels.
    package var size: (width: Int, height: Int) { (settings.width, settings.height) }
    /// The number of repetitions that count, of all people together.
    package var count: Int { people.reduce(0) { $0 + repetitions(of: $1).count(where: \.isCounted) } }
    package var duration: Double { frameRate.seconds(atFrame: frameCount) }

    /// Renders a frame; the same number always gives the same bytes.
    package func bitmap(at frame: Int) -> Bitmap {
        let time = frameRate.seconds(atFrame: frame)
        if let title, isTitle(frame) { return title.bitmap(width: settings.width, height: settings.height) }
        let shift = shake(at: frame)
        let projection = projection(at: frame)
        let background = backgrounds.background(of: shotIndex(at: frame), of: self)
        var bitmap = background.part(
            x: margin - shift.x, y: margin - shift.y, width: settings.width, height: settings.height)
        var solids = props + balls.compactMap { $0.solid(at: time) }
        for prop in props { FloorShadow(of: [prop], around: prop.from).draw(on: &bitmap, projection) }
        if let toss {
            FloorShadow(of: toss.board.shade, around: toss.board.centre).draw(on: &bitmap, projection)
            toss.board.draw(on: &bitmap, projection)
        }
        for (index, person) in people.enumerated() {
            let figure = figure(of: person, at: time)
            FloorShadow(of: figure.solids, around: figure.armature.root).draw(on: &bitmap, projection)
            solids += figure.solids
            if index == 0, let toss { solids += toss.solids(at: time, player: figure.armature) }
        }
        Rasterizer(solids, projection).draw(on: &bitmap)
        let noise = SensorNoise(deviation: settings.noise, brightness: settings.brightness)
        noise.apply(to: &bitmap, seed: settings.seed &* 0x9E37_79B9 &+ UInt64(truncatingIfNeeded: frame))
        return bitmap
    }

    /// The repetitions that one person completes before the scene ends.
    package func repetitions(of person: Person) -> [Truth.Repetition] {
        person.performance.repetitions.filter { $0.end <= duration + 1e-6 }
    }

    func figure(of person: Person, at time: Double) -> BodyGeometry {
        BodyGeometry(
            body: person.performance.body, armature: person.performance.armature(at: time), owner: person.id,
            hasDumbbells: person.performance.hasDumbbells(at: time))
    }

    func isTitle(_ frame: Int) -> Bool {
        guard let title else { return false }
        return frameRate.seconds(atFrame: frame) < title.seconds - 1e-9
    }

    func shotIndex(at frame: Int) -> Int {
        let time = frameRate.seconds(atFrame: frame)
        return shots.lastIndex { $0.start <= time + 1e-9 } ?? 0
    }

    func projection(at frame: Int) -> Projection {
        let shift = shake(at: frame)
        return Projection(
            shots[shotIndex(at: frame)].camera, width: settings.width, height: settings.height, shiftX: shift.x,
            shiftY: shift.y)
    }

    /// The camera shake in whole pixels, so that the room can be rendered once and shifted.
    private func shake(at frame: Int) -> (x: Int, y: Int) {
        let amplitude = shots[shotIndex(at: frame)].camera.shake * Double(settings.height)
        guard amplitude > 0 else { return (0, 0) }
        let time = frameRate.seconds(atFrame: frame)
        let phase = Double(settings.seed % 1000)
        let x = 0.6 * sine(2.1 * time + phase) + 0.4 * sine(5.3 * time + 2 * phase)
        let y = 0.6 * sine(1.7 * time + 3 * phase) + 0.4 * sine(6.1 * time + phase)
        return (Int((x * amplitude).rounded()), Int((y * amplitude).rounded()))
    }

    fileprivate var margin: Int {
        let shake = shots.map(\.camera.shake).max() ?? 0
        return Int((shake * Double(settings.height)).rounded(.up)) + 1
    }
}

extension Performance {
    /// Whether the person holds dumbbells at a time, which is during the exercises that use them.
    func hasDumbbells(at time: Double) -> Bool {
        switch segments.last(where: { $0.start <= time })?.action {
        case .rest(let movement), .repetition(let movement, _): movement.hasDumbbells
        default: false
        }
    }
}

/// Caches the empty room of every shot, which is the same in all its frames.
private final class BackgroundCache: Sendable {
    private let backgrounds = Mutex<[Int: Bitmap]>([:])

    func background(of shot: Int, of scene: SynthScene) -> Bitmap {
        backgrounds.withLock { cached in
            if let room = cached[shot] { return room }
            let room = scene.backdrop.bitmap(
                scene.shots[shot].camera, width: scene.settings.width, height: scene.settings.height,
                margin: scene.margin)
            cached[shot] = room
            return room
        }
    }
}

/// A title card before the first shot, as in edited videos.
struct TitleCard: Sendable {
    let seconds: Double
    let lines: [String]
    let background, ink: Color

    static func random(naming exercise: String, using random: inout RandomSource) -> TitleCard {
        let pairs: [(UInt32, UInt32)] = [(0x101418, 0xFFFFFF), (0xF4F1EA, 0x202428), (0xC23B3B, 0xFFF2D8)]
        let pair = random.pick(pairs)
        return TitleCard(
            seconds: random.number(in: 0.8...2), lines: ["Workout \(random.integer(in: 1...30))", exercise],
            background: Color(hex: pair.0), ink: Color(hex: pair.1))
    }

    /// The card as a picture; only the background if text cannot be drawn.
    func bitmap(width: Int, height: Int) -> Bitmap {
        var bitmap = Bitmap(
            width: width, height: height, red: UInt8(background.red * 255), green: UInt8(background.green * 255),
            blue: UInt8(background.blue * 255))
        let size = Double(min(width, height)) / 10
        try? bitmap.draw { canvas in
            for (row, line) in lines.enumerated() {
                let y = canvas.height / 2 + (Double(row) - Double(lines.count - 1) / 2) * size * 1.5
                canvas.text(line, at: CGPoint(x: canvas.width / 2, y: y), size: size, color: ink, alignment: .center)
            }
        }
        return bitmap
    }
}
