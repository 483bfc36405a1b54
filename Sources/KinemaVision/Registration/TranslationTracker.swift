/// Measures from picture to picture how far what they show has moved.
struct TranslationTracker: Sendable {
    /// How far the content moved.
    struct Movement: Sendable, Equatable {
        /// Pixels of the pictures, y downwards.
        var shift: SIMD2<Double>
        /// 0...1; near 0 where the two do not show the same, or nothing that a movement could be told from.
        var confidence: Double
    }

    /// What is kept of the picture before.
    private struct Seen: Sendable {
        let pyramid: PicturePyramid
        let spectrum: FourierTransform.Field
    }

    private var correlation: PhaseCorrelation?
    private var before: Seen?
    private var lastShift = SIMD2(0.0, 0.0)

    /// Forgets everything.
    mutating func restart() {
        self = TranslationTracker()
    }

    /// Takes the next picture; nil for the first and after a change of size.
    mutating func update(_ picture: GrayPicture) -> Movement? {
        // The longer side of the smallest level: enough to see by, and a transform of half a millisecond.
        let pyramid = PicturePyramid(picture, smallest: 160)
        guard let coarse = pyramid.levels.last else { return nil }
        let correlation =
            self.correlation.flatMap { $0.width == coarse.width && $0.height == coarse.height ? $0 : nil }
            ?? PhaseCorrelation(width: coarse.width, height: coarse.height)
        self.correlation = correlation
        let seen = Seen(pyramid: pyramid, spectrum: correlation.spectrum(of: coarse))
        defer { before = seen }
        guard let before, let full = before.pyramid.levels.first, full.width == picture.width,
            full.height == picture.height
        else {
            lastShift = SIMD2(0, 0)
            return nil
        }
        let movement = movement(from: before, to: seen, correlation)
        lastShift = movement.shift
        return movement
    }

    private func movement(from one: Seen, to next: Seen, _ correlation: PhaseCorrelation) -> Movement {
        let depth = one.pyramid.levels.count - 1
        let scale = Double(1 << depth)
        let (coarse, coarseNext) = (one.pyramid.levels[depth], next.pyramid.levels[depth])
        let peaks = correlation.shifts(from: one.spectrum, to: next.spectrum, count: 6).map { SIMD2<Double>($0) }
        // Nothing moving, and moving on as before, are what most frames do.
        let candidates = [SIMD2(0, 0), (lastShift / scale).rounded(.toNearestOrEven)] + peaks
        let rated = candidates.filter { isPossible($0, in: coarse) }
            .map { ($0, EdgeAgreement.correlation(coarse, coarseNext, shift: $0)) }
        guard let best = rated.max(by: { $0.1 < $1.1 }) else { return Movement(shift: SIMD2(0, 0), confidence: 0) }
        var alignment = LeastSquaresAlignment(shift: best.0)
        alignment.improve(coarse, coarseNext, passes: 6, enough: 0.02)
        for level in (0..<depth).reversed() {
            alignment.shift *= 2
            // Every other row of a large picture tells enough.
            let step = level == 0 && one.pyramid.levels[0].pixels.count > 100_000 ? 2 : 1
            alignment.improve(
                one.pyramid.levels[level], next.pyramid.levels[level], passes: 3, enough: level == 0 ? 0.004 : 0.02,
                step: step)
        }
        return Movement(shift: alignment.shift, confidence: confidence(alignment, one.pyramid, next.pyramid))
    }

    /// Whether at least a quarter of the picture is still seen.
    private func isPossible(_ shift: SIMD2<Double>, in level: PicturePyramid.Level) -> Bool {
        4 * Overlap(width: level.width, height: level.height, shift: shift).count >= level.width * level.height
    }

    /// How alike the edges are, less where the shift cannot be told to a fifth of a pixel.
    private func confidence(
        _ alignment: LeastSquaresAlignment, _ one: PicturePyramid, _ next: PicturePyramid
    ) -> Double {
        // At half size noise has mostly gone.
        let level = min(1, one.levels.count - 1)
        let alike = EdgeAgreement.correlation(
            one.levels[level], next.levels[level], shift: alignment.shift / Double(1 << level))
        let doubt = alignment.error / 0.2
        return max(0, min(1, alike)) / (1 + doubt * doubt)
    }
}
