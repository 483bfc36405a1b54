import KinemaCore

struct KeyPicture: Sendable {
    /// A point with a steep gradient: its position relative to the centre of the picture, in pixels.
    private struct Feature {
        var place: SIMD2<Float>
        var slope: SIMD2<Float>
        var value: Float
    }

    /// A measured motion, in pixels of the picture.
    struct Found: Sendable {
        let transform: SimilarityTransform
        let isCentral: Bool
        fileprivate let parameters: [Float]
    }

    private let width: Int, height: Int
    private let features: [Feature]
    private let medianSlope: Float
    /// The newest motion: scale and rotation minus the identity's, then the shift.
    private var parameters: [Float] = [0, 0, 0, 0, 0]

    /// The side of the squares, each of which gives at most one feature.
    private static let cell = 7
    /// The minimum slope in levels of 255 per pixel; smaller ones are noise.
    private static let minimumSlope: Float = 5
    private static let minimumCount = 30
    /// The median error above which most features show something else: compression noise, or a share of the slope.
    private static let largestError: (levels: Float, share: Float) = (5, 0.5)

    /// The features outside the boxes; nil if there are too few to measure motion.
    init?(_ picture: PlanePicture, without boxes: [PixelBox]) {
        (width, height) = (picture.width, picture.height)
        let middle = SIMD2(Float(width - 1), Float(height - 1)) / 2
        let points = picture.steepestPoints(cell: Self.cell, rim: 2, minimumSlope: Self.minimumSlope)
        features = points.compactMap { x, y in
            guard !boxes.contains(where: { $0.contains(SIMD2(Double(x), Double(y))) }) else { return nil }
            return Feature(
                place: SIMD2(Float(x), Float(y)) - middle, slope: picture.slope(x, y),
                value: Float(picture.pixels[y * picture.width + x]))
        }
        guard features.count >= Self.minimumCount else { return nil }
        let slopes = features.map { ($0.slope * $0.slope).sum().squareRoot() }.sorted()
        medianSlope = slopes[slopes.count / 2]
    }

    mutating func remember(_ found: Found) { parameters = found.parameters }

    /// The motion of the background from here to another picture; nil if most features are not found again.
    func motion(to picture: PlanePicture, without boxes: [PixelBox]) -> Found? {
        guard picture.width == width, picture.height == height else { return nil }
        let starts = parameters.allSatisfy { $0 == 0 } ? [parameters] : [parameters, [0, 0, 0, 0, 0]]
        for start in starts {
            if let found = refined(start, in: picture, without: boxes) { return found }
        }
        return nil
    }

    private func refined(_ start: [Float], in picture: PlanePicture, without boxes: [PixelBox]) -> Found? {
        var motion = start
        var fit = Fit()
        for _ in 0..<12 {
            let matches = matches(motion, in: picture, without: boxes)
            guard matches.count >= Self.minimumCount else { return nil }
            fit = Fit(matches, unit: Float(height) / 2)
            guard let step = fit.step else { return nil }
            for index in motion.indices { motion[index] += step[index] }
            let size = abs(step[0]) * Float(height) / 2 + abs(step[1]) * Float(height) / 2 + abs(step[2]) + abs(step[3])
            if size < 0.004 { break }
        }
        guard fit.error < max(Self.largestError.levels, Self.largestError.share * medianSlope) else { return nil }
        let linear = SIMD2(1 + Double(motion[0]), Double(motion[1]))
        let middle = SIMD2(Double(width - 1), Double(height - 1)) / 2
        var transform = SimilarityTransform(linear: linear, shift: .zero)
        transform.shift = middle + SIMD2(Double(motion[2]), Double(motion[3])) - transform.applied(to: middle)
        let isNear =
            abs(motion[0]) < 0.15 && abs(motion[1]) < 0.1 && abs(motion[2]) < 0.15 * Float(width)
            && abs(motion[3]) < 0.15 * Float(height)
        return Found(transform: transform, isCentral: isNear && 2 * fit.count > features.count, parameters: motion)
    }

    private func matches(_ motion: [Float], in picture: PlanePicture, without boxes: [PixelBox]) -> [Match] {
        let middle = SIMD2(Float(width - 1), Float(height - 1)) / 2
        let (limit, linear, shift) = (
            SIMD2(Float(width - 2), Float(height - 2)), SIMD2(1 + motion[0], motion[1]), SIMD2(motion[2], motion[3])
        )
        var matches: [Match] = []
        matches.reserveCapacity(features.count)
        for feature in features {
            let turned = SIMD2(
                linear.x * feature.place.x - linear.y * feature.place.y,
                linear.y * feature.place.x + linear.x * feature.place.y)
            let there = middle + turned + shift
            guard there.x >= 1, there.y >= 1, there.x <= limit.x, there.y <= limit.y,
                !boxes.contains(where: { $0.contains(SIMD2<Double>(there)) })
            else { continue }
            matches.append(
                Match(
                    place: feature.place, slope: feature.slope,
                    error: picture.value(there.x, there.y) - feature.value - motion[4]))
        }
        return matches
    }
}

/// A feature and how much brighter the picture is at its predicted position, levels of 255.
private struct Match {
    var place: SIMD2<Float>, slope: SIMD2<Float>
    var error: Float
}

/// One step of the least-squares fit of a similarity and of a change of brightness.
private struct Fit {
    private(set) var step: [Float]?
    private(set) var error: Float = .infinity
    private(set) var count = 0

    init() {}

    init(_ matches: [Match], unit: Float) {
        count = matches.count
        let errors = matches.map { abs($0.error) }.sorted()
        error = errors[errors.count / 2]
        // Three robust deviations, but at least a sensor's noise.
        let reach = max(6, 3 * 1.48 * error)
        var system = [SIMD8<Float>](repeating: .zero, count: 5)
        for match in matches where abs(match.error) < reach {
            let ratio = match.error / reach
            let weight = (1 - ratio * ratio) * (1 - ratio * ratio)
            let (place, slope) = (match.place / unit, match.slope)
            let row = SIMD8(
                (slope * place).sum(), slope.y * place.x - slope.x * place.y, slope.x, slope.y, -1, -match.error, 0, 0)
            for index in 0..<5 { system[index] += row * (weight * row[index]) }
        }
        // Regularisation prevents drift along parallel lines.
        for index in 0..<4 { system[index][index] += 100 }
        step = Self.solved(system).map { [$0[0] / unit, $0[1] / unit, $0[2], $0[3], $0[4]] }
    }

    /// The solution of five equations by elimination; nil if they have none.
    private static func solved(_ equations: [SIMD8<Float>]) -> [Float]? {
        var rows = equations
        for pivot in rows.indices {
            let best = rows[pivot...].indices.max { abs(rows[$0][pivot]) < abs(rows[$1][pivot]) } ?? pivot
            rows.swapAt(pivot, best)
            guard abs(rows[pivot][pivot]) > 1e-6 else { return nil }
            for row in rows.indices where row != pivot {
                rows[row] -= rows[pivot] * (rows[row][pivot] / rows[pivot][pivot])
            }
        }
        return rows.indices.map { rows[$0][5] / rows[$0][$0] }
    }
}
