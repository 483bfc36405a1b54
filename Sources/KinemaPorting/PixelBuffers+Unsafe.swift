public import Foundation
import KinemaCore
public import KinemaMedia
public import KinemaVision
import Synchronization

// Core Video's pixel buffers over frames: what is locked is read as 32-bit BGRA.
#if !canImport(CoreVideo)
    /// A key of Core Foundation.
    public typealias CFString = String
    /// Success or the kind of failure.
    public typealias CVReturn = Int32
    /// Success, and the failures that occur here.
    public let kCVReturnSuccess: CVReturn = 0, kCVReturnInvalidArgument: CVReturn = -6661,
        kCVReturnAllocationFailed: CVReturn = -6662, kCVReturnInvalidSize: CVReturn = -6681,
        kCVReturnInvalidPixelFormat: CVReturn = -6680

    /// What allocates; memory comes from Swift here.
    public struct CFAllocator: Sendable {}
    /// The usual allocator.
    public let kCFAllocatorDefault: CFAllocator? = nil
    /// Core Foundation's truth values.
    public let kCFBooleanTrue: Bool? = true, kCFBooleanFalse: Bool? = false

    /// Keys of a camera's settings and of a pixel buffer's attributes; a `VideoReader` chooses the format itself.
    public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType",
        kCVPixelBufferWidthKey: CFString = "Width",
        kCVPixelBufferHeightKey: CFString = "Height",
        kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility",
        kCVPixelBufferCGBitmapContextCompatibilityKey: CFString = "CGBitmapContextCompatibility",
        kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility",
        kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"

    /// Pixel formats, as numbers of a camera's settings. Buffers here have the first, or one byte of grey.
    public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241, kCVPixelFormatType_32ARGB: OSType = 0x20,
        kCVPixelFormatType_32RGBA: OSType = 0x5247_4241, kCVPixelFormatType_24RGB: OSType = 0x18,
        kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066,
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076,
        kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230, kCVPixelFormatType_422YpCbCr8: OSType = 0x3276_7579,
        kCVPixelFormatType_DepthFloat32: OSType = 0x6664_6570

    /// How a pixel buffer is locked.
    public struct CVPixelBufferLockFlags: OptionSet, Sendable {
        /// The flags' bits.
        public let rawValue: UInt64

        /// Makes flags from bits.
        public init(rawValue: UInt64) { self.rawValue = rawValue }

        /// The samples are only read.
        public static let readOnly = Self(rawValue: 1)
    }

    extension CVPixelBuffer {
        /// The samples at an address: those it was made of, or the copy that was locked.
        fileprivate var samples: PixelSamples? { ownSamples ?? addressed.withLock(\.self) }
    }

    /// Makes the samples available at an address; a decoded frame is converted to BGRA the first time.
    ///
    /// The copy lives as long as the frame. What is written to it does not change the frame.
    @discardableResult
    public func CVPixelBufferLockBaseAddress(_ buffer: CVPixelBuffer, _ flags: CVPixelBufferLockFlags) -> CVReturn {
        guard buffer.ownSamples == nil else { return kCVReturnSuccess }
        return buffer.addressed.withLock { samples in
            if samples == nil { samples = (try? buffer.bitmap()).map { PixelSamples($0) } }
            return samples == nil ? kCVReturnAllocationFailed : kCVReturnSuccess
        }
    }

    /// Ends the use of the address; a failure if the buffer was not locked.
    @discardableResult
    public func CVPixelBufferUnlockBaseAddress(_ buffer: CVPixelBuffer, _ flags: CVPixelBufferLockFlags) -> CVReturn {
        buffer.samples == nil ? kCVReturnInvalidArgument : kCVReturnSuccess
    }

    /// The first sample of the top row; nil for a buffer that was not locked.
    ///
    /// SAFETY: valid as long as the buffer exists, for `CVPixelBufferGetDataSize` bytes.
    public func CVPixelBufferGetBaseAddress(_ buffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
        buffer.samples?.address
    }

    /// The bytes of a row.
    public func CVPixelBufferGetBytesPerRow(_ buffer: CVPixelBuffer) -> Int {
        buffer.width * (buffer.ownSamples?.bytesPerPixel ?? 4)
    }

    /// The bytes of all rows.
    public func CVPixelBufferGetDataSize(_ buffer: CVPixelBuffer) -> Int {
        CVPixelBufferGetBytesPerRow(buffer) * buffer.height
    }

    /// The format of the samples: BGRA, or grey for a buffer that was made so.
    public func CVPixelBufferGetPixelFormatType(_ buffer: CVPixelBuffer) -> OSType {
        buffer.ownSamples?.bytesPerPixel == 1 ? kCVPixelFormatType_OneComponent8 : kCVPixelFormatType_32BGRA
    }

    /// Whether the samples are in several planes: never.
    public func CVPixelBufferIsPlanar(_ buffer: CVPixelBuffer) -> Bool { false }

    /// The number of planes: 0, as of any buffer that is not planar.
    public func CVPixelBufferGetPlaneCount(_ buffer: CVPixelBuffer) -> Int { 0 }

    /// Always nil, as of any buffer that is not planar: read `CVPixelBufferGetBaseAddress`.
    public func CVPixelBufferGetBaseAddressOfPlane(_ buffer: CVPixelBuffer, _ plane: Int) -> UnsafeMutableRawPointer? {
        nil
    }

    /// Makes a black buffer of BGRA or grey samples that can be written while locked; fails for another format or size.
    @discardableResult
    public func CVPixelBufferCreate(
        _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
        _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
    ) -> CVReturn {
        let sides = 1...ReadingLimits().side
        guard sides.contains(width), sides.contains(height) else { return kCVReturnInvalidSize }
        let formats = [kCVPixelFormatType_32BGRA: 4, kCVPixelFormatType_OneComponent8: 1]
        guard let bytes = formats[pixelFormatType] else { return kCVReturnInvalidPixelFormat }
        let samples = PixelSamples(width: width, height: height, bytesPerPixel: bytes)
        pixelBufferOut.pointee = VideoFrame(samples, id: .inMemory)
        return kCVReturnSuccess
    }

    extension PixelBufferObservation {
        /// The format of the values: one byte each.
        public var pixelFormat: OSType { kCVPixelFormatType_OneComponent8 }

        /// Gives the values to `body`, row by row from the top left; the pointer is valid only inside it.
        public func withUnsafePointer<Result>(_ body: (UnsafeRawPointer) throws -> Result) rethrows -> Result {
            // SAFETY: the pointer is used inside `body` only.
            try mask.values.withUnsafeBytes { bytes in
                guard let address = bytes.baseAddress else { preconditionFailure("a mask has at least one pixel") }
                return try body(address)
            }
        }
    }

    extension CIImage {
        /// The same picture.
        public convenience init(cvImageBuffer: CVImageBuffer) { self.init(cvPixelBuffer: cvImageBuffer) }

        /// The part within a rectangle in pixels, origin at the lower left; its own extent begins at 0, 0 here.
        public func cropped(to rect: CGRect) -> CIImage {
            guard rect != extent, let part = CIContext().createCGImage(self, from: rect.intersection(extent)) else {
                return self
            }
            return CIImage(bitmap: part, id: id)
        }

        /// This picture over another, both with the lower left corner at 0, 0.
        public func composited(over background: CIImage) -> CIImage {
            guard let front = try? bitmap(), let back = try? background.bitmap() else { return self }
            var whole = Bitmap(width: max(width, background.width), height: max(height, background.height))
            for (picture, isOver) in [(back, false), (front, true)] {
                for row in 0..<picture.height {
                    let start = (whole.height - picture.height + row) * whole.width * 4
                    for index in 0..<picture.width * 4 {
                        let from = row * picture.width * 4 + index
                        // Colours are premultiplied.
                        let opacity = isOver ? Int(picture.pixels[from / 4 * 4 + 3]) : 255
                        let below = Int(whole.pixels[start + index]) * (255 - opacity)
                        whole.pixels[start + index] = UInt8(min(255, Int(picture.pixels[from]) + (below + 127) / 255))
                    }
                }
            }
            return CIImage(bitmap: whole, id: id)
        }
    }
#endif
