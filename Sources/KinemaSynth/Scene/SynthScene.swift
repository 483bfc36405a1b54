import Foundation
package import KinemaCore
package import KinemaDraw
import Synchronization

/// A scene that can be rendered frame by frame, and that knows exactly what happens in it.
package struct SynthScene: Sendable {
    /// Someone in the scene.
    package struct Person: Sendable {
        /// The person's number.
        package var id: Int
        /// What the person does.
        package var performance: Performance

        /// Makes a person from a number and a timeline.
        package init(id: Int, performance: Performance) {
            self.id = id
            self.performance = performance
        }
    }

    /// A camera and when the view changes to it.
    package struct Shot: Sendable {
        /// Seconds from the first frame; 0 for the first shot.
        package var start: Double
        /// The camera.
        package var camera: SynthCamera

        /// Makes a shot that begins at a time in seconds.
        package init(start: Double, camera: SynthCamera) {
            self.start = start
            self.camera = camera
        }
    }

    /// How the picture is taken.
    package struct Settings: Sendable {
        /// Columns.
        package var width = 640
        /// Rows.
        package var height = 480
        /// Frames a second.
        package var frameRate = FrameRate.thirty
        /// Standard deviation of the sensor's noise, in steps of 255.
        package var noise = 2.0
        /// Exposure, 1 for normal.
        package var brightness = 1.0
        /// Varies grain and tremble.
        package var seed: UInt64 = 1

        /// Settings of the built-in demonstration: 640x480 at 30 frames a second.
        package init() {}

        /// Settings for a size, a rate and a seed.
        package init(width: Int, height: Int, frameRate: FrameRate = .thirty, seed: UInt64 = 1) {
            self.width = width
            self.height = height
            self.frameRate = frameRate
            self.seed = seed
        }
    }

    /// Everyone in the scene.
    package let people: [Person]
    /// Things that stand around: pillars, stools.
    let things: [Solid]
    /// The cameras in order of time.
    package var shots: [Shot]
    /// The room.
    package let backdrop: Backdrop
    /// How the picture is taken.
    package let settings: Settings
    /// The words before the first view, if any.
    package let title: TitleCard?
    /// The game of bean-bag toss that the first person plays, if any.
    let toss: TossStage?
    /// How many frames there are.
    package let frameCount: Int
    /// Balls that are thrown through the scene.
    var balls: [ThrownBall] = []
    private let rooms = RoomStore()

    /// Makes a scene that lasts until the last person is done, or for the given seconds.
    init(
        people: [Person], things: [Solid] = [], shots: [Shot], backdrop: Backdrop, settings: Settings,
        duration: Double? = nil, title: TitleCard? = nil, toss: TossStage? = nil
    ) {
        precondition(!shots.isEmpty, "a scene needs a camera")
        self.people = people
        self.things = things
        self.shots = shots.sorted { $0.start < $1.start }
        self.backdrop = backdrop
        self.settings = settings
        self.title = title
        self.toss = toss
        let seconds = duration ?? people.map(\.performance.duration).max() ?? 1
        frameCount = max(1, Int((seconds * settings.frameRate.perSecond).rounded()))
    }

    /// How long each frame lasts.
    package var frameRate: FrameRate { settings.frameRate }
    /// Columns and rows of the picture.
    package var size: (width: Int, height: Int) { (settings.width, settings.height) }
    /// How many repetitions count in it, everyone's together.
    package var count: Int {
        people.reduce(0) { $0 + repetitions(of: $1).count { $0.isCounted } }
    }
    /// How long the scene lasts, seconds.
    package var duration: Double { frameRate.seconds(atFrame: frameCount) }

    /// Renders a frame; the same number always gives the same bytes.
    package func bitmap(at frame: Int) -> Bitmap {
        let time = frameRate.seconds(atFrame: frame)
        if let title, isTitle(frame) { return title.bitmap(width: settings.width, height: settings.height) }
        let shift = shake(at: frame)
        let projection = projection(at: frame)
        let room = rooms.room(of: shotIndex(at: frame), of: self)
        var bitmap = room.window(
            x: SynthScene.margin(self) - shift.x, y: SynthScene.margin(self) - shift.y, width: settings.width,
            height: settings.height)
        var solids = things + balls.compactMap { $0.solid(at: time) }
        if !things.isEmpty {
            for thing in things { FloorShadow(of: [thing], around: thing.from).draw(on: &bitmap, projection) }
        }
        if let toss {
            FloorShadow(of: toss.board.shade, around: toss.board.middle).draw(on: &bitmap, projection)
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

    /// What one person repeats before the scene ends.
    package func repetitions(of person: Person) -> [Truth.Repetition] {
        person.performance.repetitions.filter { $0.end <= duration + 1e-6 }
    }

    func figure(of person: Person, at time: Double) -> Flesh {
        Flesh(
            body: person.performance.body, armature: person.performance.armature(at: time), owner: person.id,
            hasDumbbells: person.performance.hasDumbbells(at: time))
    }

    /// Whether a frame shows the title card.
    func isTitle(_ frame: Int) -> Bool {
        guard let title else { return false }
        return frameRate.seconds(atFrame: frame) < title.seconds - 1e-9
    }

    /// Which shot a frame belongs to.
    func shotIndex(at frame: Int) -> Int {
        let time = frameRate.seconds(atFrame: frame)
        return shots.lastIndex { $0.start <= time + 1e-9 } ?? 0
    }

    /// How a frame's camera sees the world.
    func projection(at frame: Int) -> Projection {
        let shift = shake(at: frame)
        return Projection(
            shots[shotIndex(at: frame)].camera, width: settings.width, height: settings.height, shiftX: shift.x,
            shiftY: shift.y)
    }

    /// The hand's tremble in whole pixels, so the room can be rendered once and moved.
    private func shake(at frame: Int) -> (x: Int, y: Int) {
        let reach = shots[shotIndex(at: frame)].camera.shake * Double(settings.height)
        guard reach > 0 else { return (0, 0) }
        let time = frameRate.seconds(atFrame: frame)
        let phase = Double(settings.seed % 1000)
        let x = 0.6 * sine(2.1 * time + phase) + 0.4 * sine(5.3 * time + 2 * phase)
        let y = 0.6 * sine(1.7 * time + 3 * phase) + 0.4 * sine(6.1 * time + phase)
        return (Int((x * reach).rounded()), Int((y * reach).rounded()))
    }

    /// How many pixels the room must reach beyond the picture.
    fileprivate static func margin(_ scene: SynthScene) -> Int {
        let shake = scene.shots.map(\.camera.shake).max() ?? 0
        return Int((shake * Double(scene.settings.height)).rounded(.up)) + 1
    }
}

extension Performance {
    /// Whether dumbbells are in the hands at a moment: during the exercises that use them.
    func hasDumbbells(at time: Double) -> Bool {
        switch segments.last(where: { $0.start <= time })?.action {
        case .rest(let movement), .repetition(let movement, _): movement.hasDumbbells
        default: false
        }
    }
}

extension Bitmap {
    /// A part of the picture.
    fileprivate func window(x: Int, y: Int, width: Int, height: Int) -> Bitmap {
        var part: [UInt8] = []
        part.reserveCapacity(width * height * 4)
        for row in y..<y + height {
            let start = (row * self.width + x) * 4
            part.append(contentsOf: pixels[start..<start + width * 4])
        }
        return Bitmap(width: width, height: height, pixels: part)
    }
}

/// Keeps the empty room of every shot, which is the same in all its frames.
private final class RoomStore: Sendable {
    private let rooms = Mutex<[Int: Bitmap]>([:])

    func room(of shot: Int, of scene: SynthScene) -> Bitmap {
        rooms.withLock { known in
            if let room = known[shot] { return room }
            let room = scene.backdrop.bitmap(
                scene.shots[shot].camera, width: scene.settings.width, height: scene.settings.height,
                margin: SynthScene.margin(scene))
            known[shot] = room
            return room
        }
    }
}

/// A picture with words before the first view, as edited videos have it.
package struct TitleCard: Sendable {
    /// How long it stands, from the first frame on.
    package var seconds: Double
    /// What stands on it.
    package var lines: [String]
    /// The colour of the ground.
    package var ground: Color
    /// The colour of the words.
    package var ink: Color

    /// A card drawn at random that announces an exercise.
    static func random(naming exercise: String, using random: inout RandomSource) -> TitleCard {
        let pairs: [(UInt32, UInt32)] = [(0x101418, 0xFFFFFF), (0xF4F1EA, 0x202428), (0xC23B3B, 0xFFF2D8)]
        let pair = random.pick(pairs, else: (0x101418, 0xFFFFFF))
        return TitleCard(
            seconds: random.number(in: 0.8...2), lines: ["Workout \(random.integer(in: 1...30))", exercise],
            ground: Color(hex: pair.0), ink: Color(hex: pair.1))
    }

    /// The card as a picture; the ground alone where text cannot be drawn.
    func bitmap(width: Int, height: Int) -> Bitmap {
        var bitmap = Bitmap(
            width: width, height: height, red: UInt8(ground.red * 255), green: UInt8(ground.green * 255),
            blue: UInt8(ground.blue * 255))
        let size = Double(min(width, height)) / 10
        try? bitmap.draw { canvas in
            for (row, line) in lines.enumerated() {
                let y = canvas.height / 2 + (Double(row) - Double(lines.count - 1) / 2) * size * 1.5
                canvas.text(
                    line, at: CGPoint(x: canvas.width / 2, y: y), size: size, color: ink, alignment: .center)
            }
        }
        return bitmap
    }
}

/// How many frames a second, exactly: one frame lasts `ticksPerFrame` ticks of 1/`timescale` s.
package struct FrameRate: Hashable, Sendable, Codable {
    /// Ticks from one frame to the next.
    package let ticksPerFrame: Int
    /// Ticks in a second.
    package let timescale: Int

    /// Makes a rate of `timescale / ticksPerFrame` frames a second.
    package init(ticksPerFrame: Int = 1, timescale: Int) {
        precondition(ticksPerFrame > 0 && timescale > 0, "time moves forward")
        self.ticksPerFrame = ticksPerFrame
        self.timescale = timescale
    }

    /// 30 frames a second.
    package static let thirty = FrameRate(timescale: 30)

    /// Frames a second.
    package var perSecond: Double { Double(timescale) / Double(ticksPerFrame) }

    /// When a frame is shown, seconds from the first.
    package func seconds(atFrame frame: Int) -> Double {
        Double(frame * ticksPerFrame) / Double(timescale)
    }
}
