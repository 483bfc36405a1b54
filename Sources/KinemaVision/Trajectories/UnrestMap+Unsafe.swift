// SAFETY: both planes have `width * height` bytes; rows and columns are limited to places that exist in both.

/// Where something moved a short while ago: 255 where it does now, fading to 0.
struct UnrestMap: Sendable {
    private(set) var width = 0
    private(set) var height = 0
    /// How fresh the last movement is, a byte a pixel.
    private(set) var freshness: [UInt8] = []

    /// Takes a frame's movement, `fade` steps after the frame before; `shift` is how far the camera has moved
    /// everything since, in whole pixels.
    mutating func update(_ movement: MovementPicture, fade: UInt8, shift: (x: Int, y: Int)) {
        let threshold = movement.threshold
        if (width, height) != (movement.width, movement.height) {
            (width, height) = (movement.width, movement.height)
            freshness = [UInt8](repeating: 0, count: width * height)
        }
        // Without a move each pixel can be written where it is read.
        let isMoved = shift != (0, 0)
        let before = isMoved ? freshness : []
        if isMoved { freshness = [UInt8](repeating: 0, count: width * height) }
        let columns = max(0, shift.x)..<max(max(0, shift.x), min(width, width + shift.x))
        freshness.withUnsafeMutableBufferPointer { output in
            before.withUnsafeBufferPointer { before in
                movement.difference.withUnsafeBufferPointer { difference in
                    guard let output = output.baseAddress, let difference = difference.baseAddress else { return }
                    let source = isMoved ? before.baseAddress ?? UnsafePointer(output) : UnsafePointer(output)
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

    /// How many pixels of a rectangle are not at rest.
    func count(columns: Range<Int>, rows: Range<Int>) -> Int {
        freshness.withUnsafeBufferPointer { freshness in
            var count = 0
            for row in rows {
                let start = row * width
                for column in columns where freshness[start + column] > 0 { count += 1 }
            }
            return count
        }
    }
}
