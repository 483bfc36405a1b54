public import Foundation
public import KinemaCore
public import KinemaMedia

// Apple's names for pictures, so that signatures in code written for Apple's systems compile.
#if !canImport(CoreVideo)
    /// A decoded picture.
    public typealias CVPixelBuffer = VideoFrame
    /// A decoded picture.
    public typealias CVImageBuffer = VideoFrame
    /// A decoded picture and its time in a stream.
    public typealias CMSampleBuffer = VideoFrame
    /// A decoded picture.
    public typealias CIImage = VideoFrame
    /// A picture in memory.
    public typealias CGImage = Bitmap

    /// The picture of a sample, which is the sample itself.
    public func CMSampleBufferGetImageBuffer(_ sampleBuffer: CMSampleBuffer) -> CVImageBuffer? { sampleBuffer }

    /// The time of a sample, from the stream's first frame.
    public func CMSampleBufferGetPresentationTimeStamp(_ sampleBuffer: CMSampleBuffer) -> CMTime {
        sampleBuffer.id.timeRange.start
    }

    /// The columns of a picture.
    public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

    /// The rows of a picture.
    public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

    extension CIImage {
        /// The same picture.
        public convenience init(cvPixelBuffer: CVPixelBuffer) { self.init(cvPixelBuffer, id: cvPixelBuffer.id) }

        /// A picture in memory.
        public convenience init(cgImage: CGImage) {
            self.init(bitmap: cgImage, id: TemporalSegmentIdentifier(source: "memory", range: 0..<1, timescale: 1))
        }

        /// The picture in a file; nil if it cannot be decoded.
        public convenience init?(contentsOf url: URL) {
            guard let picture = try? ImageReader.read(contentsOf: url) else { return nil }
            self.init(picture, id: picture.id)
        }
    }
#endif
