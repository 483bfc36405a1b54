package import KinemaMedia

/// Follows the borders of one picture over and over: what that costs and nothing else.
package struct ContourBench: Sendable {
    /// What the request finds in the picture.
    package let observation: ContoursObservation
    private let request: DetectContoursRequest
    private let frame: VideoFrame
    private let raster: BinaryRaster

    /// Answers the request once and keeps the picture of two values that it searched.
    package init(_ request: DetectContoursRequest, on frame: VideoFrame) async throws {
        self.request = request
        self.frame = frame
        raster = request.raster(of: frame)
        observation = try await request.perform(on: frame)
    }

    /// Columns of the picture that was searched.
    package var width: Int { raster.width }
    /// Rows of the picture that was searched.
    package var height: Int { raster.height }

    /// The picture that was searched: 255 for what outlines were drawn around, else 0; top row first.
    package var binaryPicture: [UInt8] {
        (0..<height).flatMap { y in (0..<width).map { x in raster[x, y] ? 255 : 0 } }
    }

    /// Follows the borders so many times; returns how many there were in all.
    package func follow(_ count: Int) -> Int {
        (0..<count).reduce(0) { sum, _ in sum + BorderFollower.borders(of: raster).borders.count }
    }

    /// Answers the whole request so many times, from the frame on.
    package func perform(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum += try await request.perform(on: frame).contourCount }
        return sum
    }
}
