import KinemaCore

struct SensorNoise {
    private let deviation: Double
    /// The factor for every channel.
    private let brightness: Double
    private let table: [Int16]

    init(deviation: Double, brightness: Double) {
        (self.deviation, self.brightness) = (deviation, brightness)
        // Each row reads a fixed table from a random position: drawing a normal number for every pixel is too slow.
        var random = RandomSource(seed: 0x6772_6169_6E)
        table = deviation > 0 ? (0..<4096).map { _ in Int16((random.normal() * deviation).rounded()) } : []
    }

    func apply(to bitmap: inout Bitmap, seed: UInt64) {
        let gain = Int32((brightness * 256).rounded())
        guard deviation > 0 || gain != 256 else { return }
        var random = RandomSource(seed: seed)
        let mask = 2047
        let (width, height) = (bitmap.width, bitmap.height)
        let table = table.isEmpty ? [Int16](repeating: 0, count: 4096) : table
        var pixels = bitmap.pixels.mutableSpan
        for y in 0..<height {
            let bits = random.next()
            let start = Int(bits & 2047)
            let step = Int(bits >> 40 & 511) * 2 + 1
            var index = start
            var pixel = y * width * 4
            for _ in 0..<width {
                // Mostly the same in all channels, as after a camera's own denoising.
                let grain = Int32(table[index])
                let tint = Int32(table[index + 2048]) / 2
                pixels[pixel] = SensorNoise.exposed(pixels[pixel], gain, grain + tint)
                pixels[pixel + 1] = SensorNoise.exposed(pixels[pixel + 1], gain, grain)
                pixels[pixel + 2] = SensorNoise.exposed(pixels[pixel + 2], gain, grain - tint)
                pixel += 4
                index = (index + step) & mask
            }
        }
    }

    @inline(__always)
    private static func exposed(_ value: UInt8, _ gain: Int32, _ grain: Int32) -> UInt8 {
        UInt8(min(max(((Int32(value) * gain) >> 8) + grain, 0), 255))
    }
}
