import KinemaPose
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

    extension CMSampleBuffer {
        /// The picture of the sample, which is the sample itself.
        public var imageBuffer: CVImageBuffer? { self }
        /// The time from the stream's first frame.
        public var presentationTimeStamp: CMTime { id.timeRange.start }
        /// The time for which the picture is shown.
        public var duration: CMTime { id.timeRange.duration }
    }

    extension CIImage {
        /// The whole picture in pixels.
        public var extent: CGRect { CGRect(x: 0, y: 0, width: width, height: height) }

        /// The same picture.
        public convenience init(cvPixelBuffer: CVPixelBuffer) { self.init(cvPixelBuffer, id: cvPixelBuffer.id) }

        /// A picture in memory.
        public convenience init(cgImage: CGImage) {
            self.init(bitmap: cgImage, id: .inMemory)
        }

        /// The picture in a file; nil if it cannot be decoded.
        public convenience init?(contentsOf url: URL) {
            guard let picture = try? ImageReader.read(contentsOf: url) else { return nil }
            self.init(picture, id: picture.id)
        }

        /// The picture in a file's bytes; nil if it cannot be decoded.
        public convenience init?(data: Data) {
            guard let picture = try? ImageReader.read(data) else { return nil }
            self.init(picture, id: picture.id)
        }
    }

    extension CIImage {
        /// The picture turned and mirrored as its orientation requires to be upright.
        public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
            // Only a copy can fail; decoded pictures are turned without one.
            (try? oriented(orientation.exif)) ?? self
        }
    }

    extension CIImage {
        /// The picture scaled, turned or mirrored, in its bounding rectangle and black outside the picture.
        ///
        /// An extent begins at 0, 0 here, so a translation has no effect. Returns the same picture if the result would
        /// have no pixels, or more than 16,384 on a side.
        public func transformed(by matrix: CGAffineTransform) -> CIImage {
            let box = extent.applying(matrix)
            let sides = 0.5..<Double(ReadingLimits().side) + 0.5
            guard sides.contains(box.width), sides.contains(box.height), let source = try? bitmap() else { return self }
            let (columns, rows) = (Int(box.width.rounded()), Int(box.height.rounded()))
            if matrix.b == 0, matrix.c == 0, matrix.a > 0, matrix.d > 0 {
                return (try? bitmap(width: columns, height: rows)).map { CIImage(bitmap: $0, id: id) } ?? self
            }
            var turned = Bitmap(width: columns, height: rows)
            let back = matrix.inverted()
            for row in 0..<rows {
                for column in 0..<columns {
                    // Positions have their origin at the lower left; rows count from the top.
                    let place = CGPoint(x: box.minX + Double(column) + 0.5, y: box.maxY - Double(row) - 0.5)
                        .applying(back)
                    guard place.x >= 0, place.y >= 0, place.x < Double(width), place.y < Double(height) else {
                        continue
                    }
                    let from = 4 * ((height - 1 - Int(place.y)) * width + Int(place.x))
                    let to = 4 * (row * columns + column)
                    for channel in 0..<4 { turned.pixels[to + channel] = source.pixels[from + channel] }
                }
            }
            return CIImage(bitmap: turned, id: id)
        }
    }

    /// The address of a file.
    public typealias CFURL = URL
    /// Bytes.
    public typealias CFData = Data
    /// Options; none has an effect here.
    public typealias CFDictionary = NSDictionary

    /// A picture in a file or in bytes, decoded on demand.
    public final class CGImageSource: Sendable {
        fileprivate let bytes: Data

        fileprivate init(_ bytes: Data) { self.bytes = bytes }
    }

    /// A picture's file; nil if it cannot be read or has more than 256 MiB.
    public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
        (try? BoundedFile.read(url, limit: 256 << 20)).map { CGImageSource(Data($0)) }
    }

    /// A picture's bytes.
    public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
        CGImageSource(data)
    }

    /// The first picture as stored: as with ImageIO, its EXIF orientation is not applied. Nil if it cannot be decoded,
    /// and for an index other than 0.
    public func CGImageSourceCreateImageAtIndex(
        _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
    ) -> CGImage? {
        index == 0 ? try? ImageReader.read(source.bytes, orientation: CGImagePropertyOrientation.up.exif).bitmap() : nil
    }

    extension CGImage {
        /// The whole pixels that a rectangle touches, counted from the top left; nil outside the image.
        public func cropping(to rect: CGRect) -> CGImage? {
            let inside = rect.integral.intersection(CGRect(x: 0, y: 0, width: width, height: height))
            guard inside.width > 0, inside.height > 0 else { return nil }
            return part(
                x: Int(inside.minX), y: Int(inside.minY), width: Int(inside.width), height: Int(inside.height))
        }
    }

    /// An option of a context; none has an effect here.
    public struct CIContextOption: RawRepresentable, Hashable, Sendable {
        /// The option's name.
        public let rawValue: String

        /// Makes an option from a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// How pictures are rendered.
        public static let useSoftwareRenderer = Self(rawValue: "software_renderer"),
            cacheIntermediates = Self(rawValue: "kCIContextCacheIntermediates"),
            priorityRequestLow = Self(rawValue: "low_priority"),
            workingColorSpace = Self(rawValue: "working_color_space"),
            outputColorSpace = Self(rawValue: "output_color_space")
    }

    /// Converts decoded pictures to pictures in memory.
    public struct CIContext: Sendable {
        /// Makes a context; the options have no effect.
        public init(options: [CIContextOption: Any]? = nil) {}

        /// The part of a picture within a rectangle in pixels, origin at the lower left; nil when out of memory.
        public func createCGImage(_ image: CIImage, from rect: CGRect) -> CGImage? {
            let size = CGSize(width: image.width, height: image.height)
            return try? image.cropped(to: NormalizedRect(imageRect: rect, in: size)).bitmap()
        }
    }

    /// The code of a pixel format.
    public typealias OSType = UInt32

    /// Grey pixels of one byte, half precision and single precision.
    public let kCVPixelFormatType_OneComponent8: OSType = 0x4C30_3038,
        kCVPixelFormatType_OneComponent16Half: OSType = 0x4C30_3068,
        kCVPixelFormatType_OneComponent32Float: OSType = 0x4C30_3066

    /// A time in seconds.
    public typealias CFTimeInterval = Double

    /// The time in seconds since 2001.
    public typealias CFAbsoluteTime = CFTimeInterval

    /// The time in seconds since 2001.
    public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date.timeIntervalSinceReferenceDate }

    /// Runs `body`: there are no pools on Linux.
    public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

    /// The time in seconds since the machine started.
    public func CACurrentMediaTime() -> CFTimeInterval { ProcessInfo.processInfo.systemUptime }
#endif
