import Foundation
import KinemaCore
import Testing

@testable import KinemaMedia

/// Videos whose stored pixels are not square are shown, and so analysed, in their true proportions.
@Suite struct PixelAspectTests {
    let clips: Clips

    init() throws {
        clips = try Clips()
    }

    /// Stored size, ratio, displayed size: PAL and NTSC wide screen and standard, HDV, and ratios that count as square.
    static let cases: [(stored: (Int, Int), ratio: String, shown: (Int, Int))] = [
        ((720, 576), "64/45", (1024, 576)), ((720, 480), "8/9", (720, 540)), ((144, 108), "4/3", (192, 108)),
        ((320, 240), "1/1", (320, 240)), ((320, 240), "201/200", (320, 240)), ((320, 240), "9/1", (320, 240)),
    ]

    @Test(arguments: cases.indices, ["mp4", "mkv", "ts"])
    func `Frames have square pixels`(index: Int, kind: String) throws {
        let (stored, ratio, shown) = Self.cases[index]
        let source = try ColorTests.writeQuarters(width: stored.0, height: stored.1, to: clips)
        let url = try clips.make(
            "film.\(kind)",
            "-i \(source.path) -vf scale=out_color_matrix=bt601,setsar=\(ratio) -c:v libx264 -qp 1 -pix_fmt yuv420p"
                + " -colorspace smpte170m")
        let frame = try ImageReader.read(contentsOf: url)
        #expect((frame.width, frame.height) == shown)
        let expected = [ColorTests.red, ColorTests.green, ColorTests.blue, ColorTests.white]
        ColorTests.expectClose(ColorTests.corners(of: try frame.bitmap()), expected, within: 4, ratio)
        ColorTests.expectClose(ColorTests.sampledCorners(of: frame), expected, within: 4, ratio)
    }

    @Test
    func `A turned video is stretched before it is turned`() throws {
        let source = try ColorTests.writeQuarters(width: 144, height: 108, to: clips)
        let film = try clips.make("film.mp4", "-i \(source.path) -vf setsar=4/3 -c:v libx264 -qp 1 -pix_fmt yuv420p")
        let turned = try clips.make("turned.mp4", "-i \(film.path) -c copy -metadata:s:v rotate=90")
        let frame = try ImageReader.read(contentsOf: turned)
        #expect(frame.width == 108 && frame.height == 192)
    }

    @Test(arguments: ["png", "gif", "jpg"])
    func `A picture's ratio is a printer's, and not heeded`(kind: String) throws {
        let source = try ColorTests.writeQuarters(width: 144, height: 108, to: clips)
        let url = try clips.make("picture.\(kind)", "-i \(source.path) -vf setsar=4/3 -frames:v 1")
        let frame = try ImageReader.read(contentsOf: url)
        #expect(frame.width == 144 && frame.height == 108)
    }

    @Test
    func `A bitmap of another size shows the whole picture`() throws {
        let source = try ColorTests.writeQuarters(width: 130, height: 90, to: clips)
        let frame = try ImageReader.read(contentsOf: clips.make("quarters.png", "-i \(source.path) -frames:v 1"))
        for (width, height) in [(130, 90), (65, 45), (333, 47), (1, 1)] {
            let bitmap = try frame.bitmap(width: width, height: height)
            #expect(bitmap.width == width && bitmap.height == height && bitmap.pixels.count == width * height * 4)
            guard width > 1 else { continue }
            let expected = [ColorTests.red, ColorTests.green, ColorTests.blue, ColorTests.white]
            ColorTests.expectClose(ColorTests.corners(of: bitmap), expected, within: 4, "\(width)x\(height)")
        }
    }
}
