import Foundation

/// The landmark model's last input as the brightness of 32x32 blocks, which shows whether anything has moved. A block
/// is the mean of 192 values: a pixel's noise matters little, an edge that moves by a pixel does.
struct PersonView: Sendable {
    /// The maximum joint distance between inferences for a person at rest, in body sizes.
    static let calmDistance = 0.02
    /// The longest time for which landmarks are held, in seconds.
    static let patience: TimeInterval = 0.5
    /// The minimum change of a block, in levels of 255; people at rest in compressed video change it by two to five.
    static let leastChange = 6.0
    /// The minimum factor of a block's change over the median change, which is the noise.
    static let noiseFactor = 6.0
    /// The noise above which movement cannot be detected, in levels of 255: the light or the camera has changed.
    static let mostNoise = 2.0

    private static let side = 32
    /// Pixels along a block's side.
    private static let step = BodyLandmarker.input / side
    private static let values = step * step * 3

    let region: Region
    let time: TimeInterval
    /// The sum of each block's values, row by row.
    private let blocks: [UInt16]

    // SAFETY: no more values are read than the precondition has counted; the temporary block is written in full first.
    /// Keeps the part of the picture in the landmark model's input.
    init(_ input: UnsafeMutableBufferPointer<UInt8>, of region: Region, at time: TimeInterval) {
        (self.region, self.time) = (region, time)
        let width = BodyLandmarker.input * 3
        precondition(input.count == width * BodyLandmarker.input, "the landmark model's input is square")
        var blocks: [UInt16] = []
        blocks.reserveCapacity(Self.side * Self.side)
        // Eight values of 255 fit 16 bits, and so do the 192 of a block.
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width) { columns in
            for row in 0..<Self.side {
                columns.initialize(repeating: 0)
                for line in 0..<Self.step {
                    let start = (row * Self.step + line) * width
                    for column in 0..<width { columns[column] &+= UInt16(input[start &+ column]) }
                }
                for block in stride(from: 0, to: width, by: Self.step * 3) {
                    blocks.append(columns[block..<(block + Self.step * 3)].reduce(0, &+))
                }
            }
        }
        self.blocks = blocks
    }

    func isStill(_ other: PersonView) -> Bool {
        let changes = zip(blocks, other.blocks).map { max($0, $1) - min($0, $1) }.sorted()
        let noise = Double(changes[changes.count / 2]) / Double(Self.values)
        let largest = Double(changes[changes.count - 1]) / Double(Self.values)
        return noise <= Self.mostNoise && largest <= max(Self.leastChange, Self.noiseFactor * noise)
    }

    func isRecent(at time: TimeInterval) -> Bool { (0..<Self.patience).contains(time - self.time) }
}
