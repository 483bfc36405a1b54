/// The grid of places at which the body detector looks: the middles of its anchors, in 0...1 of its input.
///
/// Five layers with strides 8, 16, 32, 32, 32 on 224 pixels, two anchors a cell and layer, offset 0.5, fixed size
/// (MediaPipe's SSD anchors), so layers of one stride follow each other cell by cell.
enum DetectorAnchors {
    static let centers: [SIMD2<Double>] = [(28, 2), (14, 2), (7, 6)].flatMap { cells, anchors in
        (0..<cells).flatMap { row in
            (0..<cells).flatMap { column in
                [SIMD2<Double>](
                    repeating: SIMD2((Double(column) + 0.5) / Double(cells), (Double(row) + 0.5) / Double(cells)),
                    count: anchors)
            }
        }
    }
}
