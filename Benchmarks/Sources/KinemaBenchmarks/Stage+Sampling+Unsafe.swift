@testable import KinemaSampling
@testable import KinemaCore
@testable import KinemaMedia
@testable import KinemaSynth

extension Stage {
    static let sampling = [sampling(width: 1280, height: 720), sampling(width: 1920, height: 1080)]

    /// Samples a person's square of a decoded frame into the landmark model's input of 256x256.
    // SAFETY: the buffer is the array's own and lives as long as the call; the sampler checks its size.
    private static func sampling(width: Int, height: Int) -> Stage {
        let (side, inputs) = (256, 16)
        return Stage(name: "sampling \(height)p", unit: "an input of 256x256", operations: inputs) {
            let scene = Fixtures.squats(width: width, height: height)
            var random = RandomSource(seed: 1)
            let frame = try Fixtures.decoded(scene, frame: 60)
            let regions = Fixtures.bodies(in: scene, frame: 60, &random).map { Region(middle: $0.middle, rim: $0.rim) }
            var input = [UInt8](repeating: 0, count: side * side * 3)
            return {
                for region in regions {
                    for _ in 0..<inputs {
                        input.withUnsafeMutableBufferPointer {
                            RegionSampler.sample(frame, region, into: $0, side: side, border: .repeated)
                        }
                    }
                }
                return Int(input[input.count / 2])
            }
        }
    }
}
