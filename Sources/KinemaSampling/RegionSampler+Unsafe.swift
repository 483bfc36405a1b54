import KinemaCore
package import KinemaMedia

/// Samples a rotated square of the decoder's planes for a model's input: bilinear, RGB, 8 bits per channel. Pixel (i,
/// j) lies at the square's point (i / side, j / side), without a half-pixel offset, as in MediaPipe.
package enum RegionSampler {
    package enum Border: Equatable {
        case level(UInt8)
        /// Black, as in the detectors' training.
        package static let black = level(0)
        /// The colour of the nearest edge, as in the landmark models' training.
        case repeated
    }

    /// Fills `output` (side x side x RGB) with a square of the picture.
    package static func sample(
        _ frame: VideoFrame, _ region: Region, into output: UnsafeMutableBufferPointer<UInt8>, side: Int, border: Border
    ) {
        fill(output, width: side, height: side, border, from: frame) { SamplingGrid(region, side: side, map: $0) }
    }

    /// Fills `output` (width x height x RGB) with an upright part of the picture.
    package static func sample(
        _ frame: VideoFrame, _ mapping: InputMapping, into output: UnsafeMutableBufferPointer<UInt8>, width: Int,
        height: Int, border: Border
    ) {
        fill(output, width: width, height: height, border, from: frame) { SamplingGrid(mapping, map: $0) }
    }

    private static func fill(
        _ output: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int, _ border: Border,
        from frame: VideoFrame, _ grid: (PixelMap) -> SamplingGrid
    ) {
        precondition(output.count == width * height * 3, "the model's input is width x height x RGB")
        StageTimes.measure(.sample) {
            frame.withPlanes { planes in
                let grid = grid(planes.map)
                visit(planes, InputFiller(output: output, width: width, height: height, grid: grid, border: border))
            }
        }
    }

    /// The picture's RGB colours (0...255) at pixel positions; positions outside have the nearest edge's colour.
    package static func colours(of frame: VideoFrame, at points: [SIMD2<Double>]) -> [SIMD3<Float>] {
        frame.withPlanes { planes in
            let map = planes.map
            return visit(planes, ColourReader(points: points.map { map.stored($0) }))
        }
    }

    /// Calls the visitor with the source for the planes' format, so that the compiler specialises each loop.
    private static func visit<Visitor: SourceVisitor>(
        _ planes: borrowing FramePlanes, _ visitor: Visitor
    ) -> Visitor.Result {
        let isHalf = planes.chromaShiftX == 1 && planes.chromaShiftY == 1
        return switch (planes.layout, planes.bytesPerSample) {
        case (.planar, 1) where isHalf: visitor.visit(Planar<UInt8, HalfChroma>(planes))
        case (.planar, 1): visitor.visit(Planar<UInt8, SharedChroma>(planes))
        case (.planar, _): visitor.visit(Planar<UInt16, SharedChroma>(planes))
        case (.semiPlanar(let swapped), 1): visitor.visit(SemiPlanar<UInt8, SharedChroma>(planes, swapped))
        case (.semiPlanar(let swapped), _): visitor.visit(SemiPlanar<UInt16, SharedChroma>(planes, swapped))
        case (.packed(let red, let green, let blue, let step), _):
            visitor.visit(Packed(planes, offsets: (red, green, blue), step: step))
        case (.gray, 1): visitor.visit(Gray<UInt8>(planes))
        case (.gray, _): visitor.visit(Gray<UInt16>(planes))
        }
    }
}

private protocol SourceVisitor {
    associatedtype Result
    func visit<Source: PixelSource>(_ source: Source) -> Result
}

private struct InputFiller: SourceVisitor {
    let output: UnsafeMutableBufferPointer<UInt8>
    let width: Int
    let height: Int
    let grid: SamplingGrid
    let border: RegionSampler.Border

    // SAFETY: positions are clamped to 0...width-1 and 0...height-1 before a source reads. Sources read one sample
    // further right and down only if it exists. The output is written once per pixel of the checked size.
    func visit<Source: PixelSource>(_ source: Source) {
        guard let start = output.baseAddress else { return }
        let limit = SamplePosition(
            x: max(0, (source.size.width - 1) &<< 16 - 1), y: max(0, (source.size.height - 1) &<< 16 - 1))
        for row in 0..<height {
            let first = grid.origin + grid.row * row
            let line = start + 3 &* width &* row
            // A row is a straight line, so the columns inside the picture are contiguous.
            let inside = SamplingGrid.columnsInside(of: limit, from: first, step: grid.column, count: width)
            for column in 0..<inside.lowerBound {
                readClamped(source, first + grid.column * column, limit, into: line + 3 &* column)
            }
            source.read(
                inside.count, from: first + grid.column * inside.lowerBound, step: grid.column, next: grid.row,
                into: line + 3 &* inside.lowerBound)
            for column in inside.upperBound..<width {
                readClamped(source, first + grid.column * column, limit, into: line + 3 &* column)
            }
        }
    }

    private func readClamped<Source: PixelSource>(
        _ source: Source, _ position: SamplePosition, _ limit: SamplePosition, into pixel: UnsafeMutablePointer<UInt8>
    ) {
        // The picture's edge is half a pixel beyond the outermost pixel centres.
        let edge = SamplePosition(x: source.size.width &<< 16 - 0x8000, y: source.size.height &<< 16 - 0x8000)
        let isOutside = position.x < -0x8000 || position.y < -0x8000 || position.x >= edge.x || position.y >= edge.y
        if case .level(let level) = border, isOutside {
            pixel[0] = level
            pixel[1] = level
            pixel[2] = level
        } else {
            source.read(min(max(position.x, 0), limit.x), min(max(position.y, 0), limit.y), into: pixel)
        }
    }
}

private struct ColourReader: SourceVisitor {
    let points: [SIMD2<Double>]

    // SAFETY: the three bytes belong to the temporary allocation; positions are clamped to the picture.
    func visit<Source: PixelSource>(_ source: Source) -> [SIMD3<Float>] {
        let limitX = Double(max(0, source.size.width - 1)) - 1.0 / 65536
        let limitY = Double(max(0, source.size.height - 1)) - 1.0 / 65536
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3) { pixel in
            guard let start = pixel.baseAddress else { return [] }
            return points.map { point in
                let (x, y) = (max(0, min(point.x, limitX)), max(0, min(point.y, limitY)))
                source.read(Int(x * 65536), Int(y * 65536), into: start)
                return SIMD3(Float(start[0]), Float(start[1]), Float(start[2]))
            }
        }
    }
}

struct SamplingGrid {
    let origin: SamplePosition
    let column: SamplePosition
    let row: SamplePosition

    init(_ region: Region, side: Int, map: PixelMap) {
        let corner = region.pixel(SIMD2(0, 0))
        self.init(
            origin: corner, column: (region.pixel(SIMD2(1, 0)) - corner) / Double(side),
            row: (region.pixel(SIMD2(0, 1)) - corner) / Double(side), map: map)
    }

    init(_ mapping: InputMapping, map: PixelMap) {
        self.init(origin: mapping.origin, column: SIMD2(mapping.step.x, 0), row: SIMD2(0, mapping.step.y), map: map)
    }

    /// The grid from positions in the displayed picture, where pixel centres have integer coordinates.
    private init(origin: SIMD2<Double>, column: SIMD2<Double>, row: SIMD2<Double>, map: PixelMap) {
        func fixed(_ vector: SIMD2<Double>) -> SamplePosition {
            SamplePosition(x: Int((vector.x * 65536).rounded()), y: Int((vector.y * 65536).rounded()))
        }
        let corner = map.stored(origin)
        self.origin = fixed(corner)
        self.column = fixed(map.stored(origin + column) - corner)
        self.row = fixed(map.stored(origin + row) - corner)
    }

    /// The indices of the positions `start + n * step` that lie within 0...limit; 0..<0 if none does.
    static func columnsInside(
        of limit: SamplePosition, from start: SamplePosition, step: SamplePosition, count: Int
    ) -> Range<Int> {
        let columns = steps(from: start.x, by: step.x, within: limit.x, count: count)
            .clamped(to: steps(from: start.y, by: step.y, within: limit.y, count: count))
        return columns.isEmpty ? 0..<0 : columns
    }

    /// The values n below `count` for which `start + n * step` lies within 0...limit.
    private static func steps(from start: Int, by step: Int, within limit: Int, count: Int) -> Range<Int> {
        guard step != 0 else { return start >= 0 && start <= limit ? 0..<count : 0..<0 }
        // Mirror a negative step into a positive one.
        let (start, step) = step > 0 ? (start, step) : (limit - start, -step)
        guard start <= limit else { return 0..<0 }
        let first = start >= 0 ? 0 : (step - 1 - start) / step
        let end = min(count, (limit - start) / step + 1)
        return first < end ? first..<end : 0..<0
    }
}
