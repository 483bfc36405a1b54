/// The places at which a detector looks: the middles of its anchors, in 0...1 of its input.
///
/// SSD anchors as MediaPipe makes them: offset 0.5, fixed size; layers of one stride follow each other cell by cell.
enum AnchorGrid {
    /// Bodies: five layers with strides 8, 16, 32, 32, 32 on 224 pixels, two anchors a cell and layer.
    static let bodies = grid(cells: 28, anchors: 2) + grid(cells: 14, anchors: 2) + grid(cells: 7, anchors: 6)

    /// Palms: four layers with strides 8, 16, 16, 16 on 192 pixels, two anchors a cell and layer.
    static let palms = grid(cells: 24, anchors: 2) + grid(cells: 12, anchors: 6)

    private static func grid(cells: Int, anchors: Int) -> [SIMD2<Double>] {
        (0..<(cells * cells)).flatMap { cell -> [SIMD2<Double>] in
            let corner = SIMD2(Double(cell % cells), Double(cell / cells))
            return [SIMD2<Double>](repeating: (corner + 0.5) / Double(cells), count: anchors)
        }
    }
}
