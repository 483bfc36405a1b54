import Foundation
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

@testable import KinemaHTTP
@testable import KinemaStudio

struct PlanarFrameTests {
    @Test func `the largest picture fits into the largest frame`() throws {
        let limits = LiveLimits()
        let planes = try #require(
            PlanarPicture(width: 2, height: 2, isBT709: true, isFullRange: false, samples: Data(count: 6)))
        let frame = FrameMessage(sequence: 1, time: 0, width: 2, height: 2, picture: .planar(planes))
        let head = frame.bytes.count - planes.samples.count
        #expect(head + limits.width * limits.height * 3 / 2 <= limits.frameBytes)
        // What the sockets take is what clients are told.
        #expect(StudioLimits().live == limits)
    }

    private let id = TemporalSegmentIdentifier(source: "test", range: 0..<1, timescale: 30)

    /// Grey planes of any size.
    private func grey(width: Int, height: Int) throws -> PlanarPicture {
        let count = width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
        return try #require(
            PlanarPicture(
                width: width, height: height, isBT709: false, isFullRange: false,
                samples: Data(repeating: 128, count: count)))
    }

    /// A rendered person as a camera gives it, by the equations of BT.601 and BT.709.
    private func planes(_ bitmap: Bitmap, isBT709: Bool, isFullRange: Bool) throws -> PlanarPicture {
        let (red, blue) = isBT709 ? (0.2126, 0.0722) : (0.299, 0.114)
        let (luma, chroma, black) = isFullRange ? (255.0, 255.0, 0.0) : (219.0, 224.0, 16.0)
        func color(_ x: Int, _ y: Int) -> (y: Double, u: Double, v: Double) {
            let at = 4 * (y * bitmap.width + x)
            let (b, g, r) = (Double(bitmap.pixels[at]), Double(bitmap.pixels[at + 1]), Double(bitmap.pixels[at + 2]))
            let grey = red * r + (1 - red - blue) * g + blue * b
            return (grey / 255, (b - grey) / (2 - 2 * blue) / 255, (r - grey) / (2 - 2 * red) / 255)
        }
        func sample(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
        var samples = Data()
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width { samples.append(sample(black + luma * color(x, y).y)) }
        }
        for isBlue in [true, false] {
            for y in stride(from: 0, to: bitmap.height, by: 2) {
                for x in stride(from: 0, to: bitmap.width, by: 2) {
                    samples.append(sample(128 + chroma * (isBlue ? color(x, y).u : color(x, y).v)))
                }
            }
        }
        return try #require(
            PlanarPicture(
                width: bitmap.width, height: bitmap.height, isBT709: isBT709, isFullRange: isFullRange,
                samples: samples))
    }

    @Test(arguments: [true, false], [true, false])
    func `a picture has the colours it was sent in`(isBT709: Bool, isFullRange: Bool) throws {
        let scene = SynthScene.exercise(.squat, repetitions: 1, settings: .init(width: 320, height: 240))
        let bitmap = try scene.videoFrame(0).bitmap()
        func error(_ planes: PlanarPicture) throws -> Double {
            let seen = try planes.frame(id, maximumWidth: 640, maximumHeight: 640).bitmap()
            #expect((seen.width, seen.height) == (320, 240))
            let sum = zip(bitmap.pixels, seen.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            return Double(sum) / Double(bitmap.pixels.count)
        }
        let planes = try planes(bitmap, isBT709: isBT709, isFullRange: isFullRange)
        let right = try error(planes)
        // Half the chroma is missing at edges, no more.
        #expect(right < 2)
        // Samples read by other colours are not the same picture.
        for (matrix, range) in [(!isBT709, isFullRange), (isBT709, !isFullRange)] {
            let other = try #require(
                PlanarPicture(width: 320, height: 240, isBT709: matrix, isFullRange: range, samples: planes.samples))
            #expect(try error(other) > right)
        }
    }

    @Test func `a frame comes back as it was sent`() throws {
        let sent = FrameMessage(
            sequence: 4_000_000_000, time: 12.5, width: 7, height: 5, picture: .planar(try grey(width: 7, height: 5)))
        #expect(sent.bytes.count == 28 + 35 + 2 * 4 * 3)
        #expect(try FrameMessage(sent.bytes) == sent)
        // A slice whose first index is not zero is read as well.
        #expect(try FrameMessage((Data([1, 2, 3]) + sent.bytes).dropFirst(3)) == sent)
    }

    @Test func `planes that do not fit their size are refused`() throws {
        let whole = FrameMessage(
            sequence: 1, time: 0, width: 8, height: 6, picture: .planar(try grey(width: 8, height: 6))
        ).bytes
        for broken in [whole.dropLast(), whole + [0], whole.prefix(24), whole.prefix(27)] {
            #expect(throws: LiveProblem.self) { try FrameMessage(broken) }
        }
        // Sides whose product does not fit, no side at all, colours nobody has named.
        for (place, value) in [(16, 0xff), (20, 0xff), (24, 2), (25, 2)] as [(Int, UInt8)] {
            var bytes = whole
            for index in place..<(place < 24 ? place + 4 : place + 1) { bytes[index] = value }
            #expect(throws: LiveProblem.self) { try FrameMessage(bytes) }
        }
        var empty = whole
        empty[16] = 0
        #expect(throws: LiveProblem.self) { try FrameMessage(empty) }
    }

    @Test func `a session takes both and refuses what is too large`() async throws {
        let client = LiveClient(.slow(pause: 0))
        client.start("poses")
        _ = await client.next("started")
        for (index, side) in [64, 65].enumerated() {
            let number = client.show(
                .planar(try grey(width: side, height: 48)), width: side, height: 48, at: Double(index))
            let answer = await client.next("result", "error")
            #expect(answer?["type"] as? String == "result" && answer?["sequence"] as? Int == number)
            #expect(answer?["width"] as? Int == side)
        }
        let most = LiveLimits().width
        client.show(.planar(try grey(width: most + 2, height: 2)), width: most + 2, height: 2, at: 5)
        let refusal = await client.next("result", "error")
        #expect(refusal?["code"] as? String == "too-large")
        let ended = await client.stop()
        #expect(ended?["analysed"] as? Int == 2 && ended?["dropped"] as? Int == 1)
        await client.leave()
    }
}
