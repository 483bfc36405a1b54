import Foundation
import KinemaCore

extension ModelDecoder {
    /// Heat maps [1, joints, rows, columns]: HRNet, ViTPose, PP-TinyPose.
    static let heatmap = ModelDecoder(
        "heatmap", size: (192, 256), input: .init(mean: imageNet.mean, scale: imageNet.deviation, fit: .crop),
        find: { shapes in
            let found = shapes.first { shape in
                guard shape.count == 4, shape.allSatisfy({ $0 == -1 || $0 >= 1 }), (4...300).contains(shape[1]) else {
                    return false
                }
                let (rows, columns) = (shape[2], shape[3])
                // Maps have the input's shape, usually a quarter of its size.
                return rows == -1 || columns == -1
                    || rows >= 8 && columns >= 8 && rows <= shapes.height && columns <= shapes.width
                        && rows * shapes.width == columns * shapes.height
            }
            return found.map { ([$0], shapes[$0][1]) }
        }, decode: .joints { heatMaps($0[0], width: $0.input.width, height: $0.input.height) })

    /// A joint lies at its map's maximum, refined by a Taylor expansion of the blurred map's logarithm (DARK: Zhang et
    /// al., Distribution-Aware Coordinate Representation, CVPR 2020).
    static func heatMaps(_ maps: ShapedArray<Float>, width: Int, height: Int) -> DecodedJoints? {
        guard maps.shape.count == 4, maps.shape[0] == 1, maps.shape[2] > 0, maps.shape[3] > 0 else { return nil }
        let (rows, columns, values) = (maps.shape[2], maps.shape[3], maps.scalars)
        let scale = SIMD2(Double(width) / Double(columns), Double(height) / Double(rows))
        var result = (points: [SIMD2<Double>](), scores: [Float]())
        for joint in 0..<maps.shape[1] {
            let start = joint * rows * columns
            var (peak, highest) = (start, -Float.infinity)
            for index in start..<(start + rows * columns) where values[index] > highest {
                (peak, highest) = (index, values[index])
            }
            let map = HeatMap(values: values, start: start, rows: rows, columns: columns)
            let cell = (x: (peak - start) % columns, y: (peak - start) / columns)
            result.points.append((SIMD2(Double(cell.x), Double(cell.y)) + map.offset(at: cell)) * scale)
            result.scores.append(highest)
        }
        return DecodedJoints(points: result.points, scores: result.scores, personScore: 1)
    }
}

private struct HeatMap {
    let values: [Float]
    let start: Int
    let rows: Int
    let columns: Int

    /// The blur's radius in cells.
    private static let radius = 2
    /// The weights of a Gaussian over five cells, of standard deviation 1.1.
    private static let weights: [Double] = {
        let raw = (-radius...radius).map { exp(-Double($0 * $0) / (2 * 1.1 * 1.1)) }
        return raw.map { $0 / raw.reduce(0, +) }
    }()

    /// The maximum's offset from its cell; zero at the map's edge, or if the map has no clear peak.
    func offset(at cell: (x: Int, y: Int)) -> SIMD2<Double> {
        guard cell.x > 1, cell.y > 1, cell.x < columns - 2, cell.y < rows - 2 else { return .zero }
        func log(_ x: Int, _ y: Int) -> Double { Foundation.log(max(blurred(cell.x + x, cell.y + y), 1e-10)) }
        let middle = log(0, 0)
        let slope = SIMD2(log(1, 0) - log(-1, 0), log(0, 1) - log(0, -1)) / 2
        let xx = (log(2, 0) - 2 * middle + log(-2, 0)) / 4
        let yy = (log(0, 2) - 2 * middle + log(0, -2)) / 4
        let xy = (log(1, 1) - log(-1, 1) - log(1, -1) + log(-1, -1)) / 4
        let determinant = xx * yy - xy * xy
        guard determinant != 0 else { return .zero }
        let offset = SIMD2(xy * slope.y - yy * slope.x, xy * slope.x - xx * slope.y) / determinant
        // The maximum is at this cell, so the expansion is wrong if it leads more than two cells away.
        return abs(offset.x) <= 2 && abs(offset.y) <= 2 ? offset : .zero
    }

    /// The blurred map at a cell; the map is zero outside its bounds.
    private func blurred(_ x: Int, _ y: Int) -> Double {
        var sum = 0.0
        for row in max(0, y - Self.radius)...min(rows - 1, y + Self.radius) {
            var line = 0.0
            for column in max(0, x - Self.radius)...min(columns - 1, x + Self.radius) {
                line += Double(values[start + row * columns + column]) * Self.weights[column - x + Self.radius]
            }
            sum += line * Self.weights[row - y + Self.radius]
        }
        return sum
    }
}
