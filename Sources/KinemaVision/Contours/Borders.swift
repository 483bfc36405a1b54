/// The borders of a binary picture: where foreground and background meet, and which border surrounds which.
///
/// Foreground is connected by sides and corners, background by sides only. Corners of polygons are in pixels, the
/// origin at the top left corner of the top left pixel; a pixel's own corners are whole numbers.
struct Borders: Sendable, Equatable {
    /// One border.
    struct Border: Sendable, Equatable {
        /// Whether it surrounds background inside foreground, not foreground inside background.
        let isHole: Bool
        /// The border directly around it, nil for those that nothing surrounds.
        let parent: Int?
        /// Its stretch of `points`.
        let points: Range<Int>
    }

    /// In the order of their first pixels, row by row; a border comes after the one around it.
    var borders: [Border] = []
    /// The polygons' corners, one border after the other.
    ///
    /// The foreground is at the left: seen by the eye, outer borders turn counterclockwise and holes clockwise. A
    /// polygon has exactly the area of the pixels it surrounds.
    var points: [SIMD2<Float>] = []
}
