import Foundation
import KinemaCore
import Testing

@testable import KinemaMedia

/// Four corners of known colours: red, green / blue, white; through every common format, turned every way.
@Suite struct ColorTests {
    let clips: Clips

    init() throws {
        clips = try Clips()
    }

    /// A picture of four coloured quarters made without any conversion of ours: top left red, top right green, bottom
    /// left blue, bottom right white.
    func quarters(width: Int = 128, height: Int = 96) throws -> URL {
        try Self.writeQuarters(width: width, height: height, to: clips)
    }

    static func writeQuarters(width: Int = 128, height: Int = 96, to clips: Clips) throws -> URL {
        let (w, h) = (width, height)
        var ppm = Data("P6 \(w) \(h) 255\n".utf8)
        for y in 0..<h {
            for x in 0..<w {
                ppm.append(
                    contentsOf: y < h / 2
                        ? (x < w / 2 ? [220, 20, 20] : [20, 200, 20]) : (x < w / 2 ? [20, 20, 220] : [240, 240, 240]))
            }
        }
        let url = clips.url("quarters-\(w)x\(h).ppm")
        try ppm.write(to: url)
        return url
    }

    /// The colours near the corners, top left, top right, bottom left, bottom right, as displayed.
    static func corners(of bitmap: Bitmap) -> [[Int]] {
        let (w, h) = (bitmap.width, bitmap.height)
        return [(w / 4, h / 4), (3 * w / 4, h / 4), (w / 4, 3 * h / 4), (3 * w / 4, 3 * h / 4)].map { x, y in
            let pixel = bitmap[x, y]
            return [Int(pixel.red), Int(pixel.green), Int(pixel.blue)]
        }
    }

    /// The same colours computed from the planes with the frame's own matrix, as the sampler does.
    static func sampledCorners(of frame: VideoFrame) -> [[Int]] {
        let (w, h) = (frame.width, frame.height)
        return frame.withPlanes { planes in
            [(w / 4, h / 4), (3 * w / 4, h / 4), (w / 4, 3 * h / 4), (3 * w / 4, 3 * h / 4)].map { x, y in
                planes.color(x: x, y: y).map { Int((max(0, min(1, $0)) * 255).rounded()) }
            }
        }
    }

    static let red = [220, 20, 20]
    static let green = [20, 200, 20]
    static let blue = [20, 20, 220]
    static let white = [240, 240, 240]

    static func expectClose(_ found: [[Int]], _ expected: [[Int]], within tolerance: Int, _ comment: String) {
        for (corner, (one, other)) in zip(found, expected).enumerated() {
            let distance = zip(one, other).map { abs($0 - $1) }.max() ?? 999
            #expect(distance <= tolerance, "\(comment), corner \(corner): \(one) instead of \(other)")
        }
    }

    func expectUpright(
        _ frame: VideoFrame, width: Int = 128, height: Int = 96, within tolerance: Int = 4, _ comment: String
    )
        throws
    {
        let upright = [Self.red, Self.green, Self.blue, Self.white]
        #expect(frame.width == width && frame.height == height, "\(comment): \(frame.width)x\(frame.height)")
        let bitmap = try frame.bitmap()
        #expect(bitmap.width == width && bitmap.height == height)
        Self.expectClose(Self.corners(of: bitmap), upright, within: tolerance, "\(comment) bitmap")
        Self.expectClose(Self.sampledCorners(of: frame), upright, within: tolerance, "\(comment) planes")
    }

    static let formats = [
        "yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "yuv420p12le", "nv12", "nv21",
        "yuva420p", "rgb24", "bgr24", "rgba", "bgra", "argb", "rgb0", "bgr0", "gbrp", "gbrp10le", "rgb48le", "yuyv422",
        "uyvy422", "yuv411p", "yuv440p",
    ]

    @Test(arguments: formats)
    func `Every pixel format has its colours`(format: String) async throws {
        let source = try quarters()
        let url = try clips.make("raw.nut", "-i \(source.path) -c:v rawvideo -pix_fmt \(format)")
        try expectUpright(try ImageReader.read(contentsOf: url), format)
    }

    static let standards: [(space: String, range: String)] = [
        ("bt709", "tv"), ("bt709", "pc"), ("smpte170m", "tv"), ("smpte170m", "pc"), ("bt2020nc", "tv"),
        ("bt470bg", "tv"),
    ]

    @Test(arguments: standards, ["yuv420p", "yuv444p10le"])
    func `Colour matrix and range follow the tags, also at ten bits`(
        standard: (space: String, range: String), format: String
    ) async throws {
        let source = try quarters()
        let url = try clips.make(
            "tagged.mp4",
            "-i \(source.path) -vf scale=out_color_matrix=\(standard.space):out_range=\(standard.range),format=\(format)"
                + " -colorspace \(standard.space) -color_range \(standard.range) -c:v libx264 -qp 1")
        try expectUpright(try ImageReader.read(contentsOf: url), "\(standard) \(format)")
    }

    @Test(arguments: [(128, 96, "bt601"), (960, 720, "bt709")])
    func `Untagged video is BT.709 above 576 lines and BT.601 below`(width: Int, height: Int, matrix: String)
        async throws
    {
        let source = try quarters(width: width, height: height)
        let url = try clips.make(
            "untagged.nut", "-i \(source.path) -vf scale=out_color_matrix=\(matrix) -c:v rawvideo -pix_fmt yuv420p")
        try expectUpright(try ImageReader.read(contentsOf: url), width: width, height: height, matrix)
    }

    @Test(arguments: [(127, 95), (33, 17), (97, 64), (64, 97)])
    func `Odd sizes keep every column and row`(width: Int, height: Int) async throws {
        let source = try quarters(width: width, height: height)
        let url = try clips.make("odd.nut", "-i \(source.path) -c:v rawvideo -pix_fmt yuv420p")
        let frame = try ImageReader.read(contentsOf: url)
        try expectUpright(frame, width: width, height: height, "odd")
        let bitmap = try frame.bitmap()
        let last = bitmap[width - 1, height - 1]
        Self.expectClose([[Int(last.red), Int(last.green), Int(last.blue)]], [Self.white], within: 4, "last pixel")
    }
}

extension FramePlanes {
    /// Red, green and blue of a displayed pixel in 0...1, nearest chroma: the slow way, for comparison.
    borrowing func color(x: Int, y: Int) -> [Float] {
        let (sx, sy) = map.stored(x: x, y: y)
        func sample(_ plane: Plane, _ index: Int, _ row: Int) -> Float {
            let address = plane.base + row * plane.bytesPerRow + index * bytesPerSample
            return bytesPerSample == 1 ? Float(address.load(as: UInt8.self)) : Float(address.load(as: UInt16.self))
        }
        if case .packed(let red, let green, let blue, let step) = layout {
            return [red, green, blue].map { sample(planes.0, sx * step + $0, sy) * matrix.lumaScale }
        }
        let luma = matrix.lumaScale * (sample(planes.0, sx, sy) - matrix.lumaOffset)
        let (cx, cy) = (sx >> chromaShiftX, sy >> chromaShiftY)
        let chroma: (u: Float, v: Float)
        switch layout {
        case .planar: chroma = (sample(planes.1, cx, cy), sample(planes.2, cx, cy))
        case .semiPlanar(let swapped):
            let pair = (sample(planes.1, cx * 2, cy), sample(planes.1, cx * 2 + 1, cy))
            chroma = swapped ? (pair.1, pair.0) : (pair.0, pair.1)
        default: return [luma, luma, luma]
        }
        let (u, v) = (chroma.u - matrix.chromaOffset, chroma.v - matrix.chromaOffset)
        return [
            luma + matrix.redFromV * v, luma + matrix.greenFromU * u + matrix.greenFromV * v,
            luma + matrix.blueFromU * u,
        ]
    }
}
