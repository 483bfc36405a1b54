import KinemaCore

extension BodyLandmarks {
    /// Adds the body's pixels to a mask that is `scale` times as large as the picture.
    func paint(into mask: inout PersonMask, scale: SIMD2<Double>) {
        guard let values = self.mask, region.isValid(for: SIMD2(Double(mask.width), Double(mask.height)) / scale) else {
            return
        }
        let side = BodyLandmarker.input
        // The square's points for the mask's pixel (0, 0), and for a step to the right and down.
        let (origin, right, down) = (
            cell(SIMD2(0.5, 0.5) / scale), cell(SIMD2(1.5, 0.5) / scale), cell(SIMD2(0.5, 1.5) / scale)
        )
        let (column, row) = (right - origin, down - origin)
        let corners = [SIMD2(0.0, 0), SIMD2(1, 0), SIMD2(0, 1), SIMD2(1, 1)].map { region.pixel($0) * scale }
        func span(_ values: [Double], _ limit: Int) -> Range<Int> {
            let low = Int(max(0, min(Double(limit), values.min() ?? 0)))
            return low..<max(low, Int(max(0, min(Double(limit), ((values.max() ?? 0) + 1).rounded(.up)))))
        }
        let columns = span(corners.map(\.x), mask.width)
        for y in span(corners.map(\.y), mask.height) {
            var place = origin + row * Double(y) + column * Double(columns.lowerBound)
            for x in columns {
                defer { place += column }
                let limit = Double(side - 1)
                guard place.x >= 0, place.y >= 0, place.x < limit, place.y < limit else { continue }
                let (left, top) = (Int(place.x), Int(place.y))
                let (a, b) = (Float(place.x) - Float(left), Float(place.y) - Float(top))
                let first = top * side + left
                func value(_ index: Int) -> Float { Float(values[index]) }
                let upper = value(first) * (1 - a) + value(first + 1) * a
                let lower = value(first + side) * (1 - a) + value(first + side + 1) * a
                mask.raise(y * mask.width + x, to: UInt8(upper * (1 - b) + lower * b))
            }
        }
    }

    /// The column and row of the model's input at a pixel of the picture.
    private func cell(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        region.point(pixel) * Double(BodyLandmarker.input) - 0.5
    }
}
