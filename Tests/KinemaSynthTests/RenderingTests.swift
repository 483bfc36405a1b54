import Foundation
import KinemaCore
import KinemaDraw
import Testing

@testable import KinemaSynth

@Suite struct RenderingTests {
    private static func settings(seed: UInt64 = 1, noise: Double = 3) -> SynthScene.Settings {
        var settings = SynthScene.Settings(width: 160, height: 120, frameRate: FrameRate(timescale: 10), seed: seed)
        settings.noise = noise
        return settings
    }

    @Test func `the same seed gives the same bytes and another seed others`() {
        func scene(_ seed: UInt64) -> SynthScene {
            .exercise(.jumpingJack, repetitions: 2, seed: seed, settings: RenderingTests.settings(seed: seed))
        }
        let first = scene(7)
        _ = first.bitmap(at: 3)
        #expect(first.bitmap(at: 11) == scene(7).bitmap(at: 11))
        #expect(first.truth() == scene(7).truth())
        #expect(first.bitmap(at: 11) != scene(8).bitmap(at: 11))
    }

    @Test func `every machine renders the bytes that were rendered here`() {
        // FNV-1a over one frame; changes only when the look changes.
        let scene = SynthScene.exercise(.squat, repetitions: 1, seed: 3, settings: RenderingTests.settings())
        let hash = scene.bitmap(at: 12).pixels.reduce(UInt64(14_695_981_039_346_656_037)) {
            ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }
        #expect(hash == 2_936_561_967_074_431_050)
    }

    @Test(arguments: [SynthCamera.View.front, .high, .threeQuarter]) func `limbs show their colour at their joints`(
        view: SynthCamera.View
    ) throws {
        var body = Body()
        body.appearance.hasShorts = false
        body.appearance.hasLongSleeves = false
        body.appearance.trousers = Color(hex: 0x0000FF)
        body.appearance.skin = Color(hex: 0xFF8000)
        let scene = SynthScene.exercise(
            .jumpingJack, repetitions: 1, view: view, body: body, settings: RenderingTests.settings(noise: 0))
        let truth = scene.truth()
        for frame in [0, 12, 18] {
            let picture = scene.bitmap(at: frame)
            for (name, isTrousers) in [
                ("leftKnee", true), ("rightKnee", true), ("leftElbow", false), ("rightElbow", false),
            ] {
                let joint = try #require(truth.people[0].frames[frame].keypoints[name])
                guard joint.visibility == .visible else { continue }
                let pixel = picture[Int(joint.x * 160), Int((1 - joint.y) * 120)]
                if isTrousers {
                    #expect(pixel.blue > 60 && pixel.red < 30, "\(name) at frame \(frame)")
                } else {
                    #expect(pixel.red > 80 && pixel.blue < 60, "\(name) at frame \(frame)")
                }
            }
        }
    }

    @Test func `an empty corner shows the room and stays still without noise`() {
        let scene = SynthScene.exercise(.bicepsCurl, repetitions: 1, settings: RenderingTests.settings(noise: 0))
        let first = scene.bitmap(at: 0)
        let later = scene.bitmap(at: 20)
        #expect(first[3, 3] == later[3, 3])
        #expect(first != later)
        #expect(first.pixels.indices.filter { $0 % 4 == 3 }.allSatisfy { first.pixels[$0] == 255 })
    }

    @Test func `noise and exposure are as strong as asked`() {
        var settings = RenderingTests.settings(noise: 0)
        let plain = SynthScene.exercise(.squat, repetitions: 1, settings: settings).bitmap(at: 0)
        settings.noise = 5
        let grainy = SynthScene.exercise(.squat, repetitions: 1, settings: settings).bitmap(at: 0)
        settings.noise = 0
        settings.brightness = 0.5
        let dark = SynthScene.exercise(.squat, repetitions: 1, settings: settings).bitmap(at: 0)
        // The green channel carries the plain grain.
        let places = stride(from: 1, to: plain.pixels.count, by: 4).filter { (30...225).contains(plain.pixels[$0]) }
        let squares = places.reduce(0.0) { sum, place in
            let off = Double(grainy.pixels[place]) - Double(plain.pixels[place])
            return sum + off * off
        }
        #expect(abs((squares / Double(places.count)).squareRoot() - 5) < 0.7)
        #expect(places.allSatisfy { abs(Int(dark.pixels[$0]) - Int(plain.pixels[$0]) / 2) <= 1 })
    }

    @Test func `a trembling camera moves room and joints together`() throws {
        var performance = Performance(body: Body())
        performance.add(.idle, seconds: 3)
        let people = [SynthScene.Person(id: 0, performance: performance)]
        let settings = RenderingTests.settings(noise: 0)
        func scene(shake: Double) -> SynthScene {
            let camera = SynthCamera(position: Vector(0, 1, 4), target: Vector(0, 0.9, 0), shake: shake)
            return SynthScene(
                people: people, shots: [.init(start: 0, camera: camera)], backdrop: Backdrop(.studio, seed: 2),
                settings: settings)
        }
        let (still, trembling) = (scene(shake: 0), scene(shake: 0.05))
        let frame = 17
        let (from, to) = (still.projection(at: frame), trembling.projection(at: frame))
        let (dx, dy) = (Int(to.centerX - from.centerX), Int(to.centerY - from.centerY))
        #expect(abs(dx) + abs(dy) > 1)
        let (a, b) = (still.bitmap(at: frame), trembling.bitmap(at: frame))
        for (x, y) in [(20, 20), (130, 30), (80, 60), (40, 100)] { #expect(a[x, y] == b[x + dx, y + dy]) }
    }

    @Test func `what is nearer covers what is farther`() {
        let camera = SynthCamera(position: Vector(0, 1, 4), target: Vector(0, 1, 0))
        let projection = Projection(camera, width: 100, height: 100)
        let red = Solid(Vector(-0.5, 1, 0), Vector(0.5, 1, 0), 0.2, 0.2, Color(hex: 0xFF0000), gloss: 0)
        let green = Solid(Vector(0, 0.5, 1), Vector(0, 1.5, 1), 0.1, 0.3, Color(hex: 0x00FF00), gloss: 0)
        for solids in [[red, green], [green, red]] {
            var picture = Bitmap(width: 100, height: 100)
            Rasterizer(solids, projection).draw(on: &picture)
            #expect(picture[50, 50].green > 100 && picture[50, 50].red == 0)
            #expect(picture[35, 50].red > 100 && picture[35, 50].green == 0)
            #expect(picture[5, 5] == (0, 0, 0))
        }
    }

    @Test func `a swept sphere is as large in the picture as geometry says`() {
        let camera = SynthCamera(position: Vector(0, 1, 10), target: Vector(0, 1, 0), fieldOfView: degrees(20))
        let projection = Projection(camera, width: 400, height: 400)
        let solid = Solid(Vector(-0.5, 1, 0), Vector(0.5, 1, 0), 0.3, 0.1, .white, gloss: 0)
        var picture = Bitmap(width: 400, height: 400)
        Rasterizer([solid], projection).draw(on: &picture)
        let scale = projection.focal / 10
        func rows(at x: Double) -> Double {
            let column = 200 + Int(x * scale)
            return Double((0..<400).count { picture[column, $0].red > 60 })
        }
        // Across the axis' middle the outline is that of a cone through both spheres: about the mean radius.
        #expect(abs(rows(at: 0) - 0.4 * scale / (1 - 0.04).squareRoot()) < 4)
        #expect(abs(rows(at: -0.5) - 0.6 * scale) < 5)
    }

    @Test func `solids behind or beside the camera are left out`() {
        let camera = SynthCamera(position: Vector(0, 1, 4), target: Vector(0, 1, 0))
        let projection = Projection(camera, width: 60, height: 40)
        let away = [Vector(0, 1, 9), Vector(40, 1, 0), Vector(0, 1, 4)].map {
            Solid($0, $0 + Vector(0, 0.3, 0), 0.2, 0.1, .white)
        }
        var picture = Bitmap(width: 60, height: 40)
        Rasterizer(away, projection).draw(on: &picture)
        #expect(picture == Bitmap(width: 60, height: 40))
    }
}
