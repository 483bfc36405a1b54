/// One joint over time: picture heights or metres, x to the right, y up; NaN where missing.
struct JointPath: Sendable {
    var x: [Double]
    var y: [Double]
    /// 0...1; 0 where the position is filled, replaced or missing.
    var confidence: [Double]

    subscript(index: Int) -> SIMD2<Double>? {
        x[index].isFinite && y[index].isFinite ? SIMD2(x[index], y[index]) : nil
    }

    init(x: [Double], y: [Double], confidence: [Double]) { (self.x, self.y, self.confidence) = (x, y, confidence) }

    /// The midpoint of two joints over time.
    init(middle one: JointPath, _ other: JointPath) {
        x = zip(one.x, other.x).map { ($0 + $1) / 2 }
        y = zip(one.y, other.y).map { ($0 + $1) / 2 }
        confidence = zip(one.confidence, other.confidence).map { min($0, $1) }
    }

    func map(_ change: ([Double]) -> [Double]) -> JointPath {
        JointPath(x: change(x), y: change(y), confidence: confidence)
    }
}
