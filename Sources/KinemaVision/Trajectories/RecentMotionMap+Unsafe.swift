// SAFETY: both planes have `width * height` bytes; rows and columns are limited to positions that exist in both.

/// A map of recent motion: 255 where a pixel moves now, fading to 0.
struct RecentMotionMap: Sendable {
    private(set) var width = 0
    private(set) var height = 0
    /// The recency of the last motion, one byte per pixel.
    private(set) var recency: [UInt8] = []

    /// Adds a frame's motion; `fade` is subtracted from older motion, `shift` is the camera's since the previous frame.
    mutating func update(_ movement: DifferencePicture, fade: UInt8, shift: (x: Int, y: Int)) {
        let threshold = movement.threshold
        if (width, height) != (movement.width, movement.height) {
            (width, height) = (movement.width, movement.height)
            recency = [UInt8](repeating: 0, count: width * height)
        }
        // Without a shift the map is updated in place.
        let isShifted = shift != (0, 0)
        let before = isShifted ? recency : []
        if isShifted { recency = [UInt8](repeating: 0, count: width * height) }
        let columns = max(0, shift.x)..<max(max(0, shift.x), min(width, width + shift.x))
        recency.withUnsafeMutableBufferPointer { output in
            before.withUnsafeBufferPointer { before in
                movement.difference.withUnsafeBufferPointer { difference in
                    guard let output = output.baseAddress, let difference = difference.baseAddress else { return }
                    let source = isShifted ? before.baseAddress ?? UnsafePointer(output) : UnsafePointer(output)
                    for row in max(0, shift.y)..<max(max(0, shift.y), min(height, height + shift.y)) {
                        let start = row * width
                        Self.fade(
                            source + (start - shift.y * width - shift.x), difference + start, output + start, columns,
                            threshold, fade)
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func fade(
        _ source: UnsafePointer<UInt8>, _ difference: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>,
        _ columns: Range<Int>, _ threshold: UInt8, _ fade: UInt8
    ) {
        typealias Lanes = SIMD16<UInt8>
        let (limit, step) = (Lanes(repeating: threshold), Lanes(repeating: fade))
        var x = columns.lowerBound
        while x &+ 16 <= columns.upperBound {
            let old = UnsafeRawPointer(source + x).loadUnaligned(as: Lanes.self)
            let change = UnsafeRawPointer(difference + x).loadUnaligned(as: Lanes.self)
            let faded = old.replacing(with: step, where: old .< step) &- step
            let fresh = faded.replacing(with: 255, where: change .> limit)
            UnsafeMutableRawPointer(output + x).storeBytes(of: fresh, as: Lanes.self)
            x &+= 16
        }
        while x < columns.upperBound {
            output[x] = difference[x] > threshold ? 255 : source[x] > fade ? source[x] &- fade : 0
            x &+= 1
        }
    }

    func count(columns: Range<Int>, rows: Range<Int>) -> Int {
        recency.withUnsafeBufferPointer { recency in
            var count = 0
            for row in rows {
                let start = row * width
                for column in columns where recency[start + column] > 0 { count += 1 }
            }
            return count
        }
    }
}
