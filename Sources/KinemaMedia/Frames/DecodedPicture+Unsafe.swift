internal import CFFmpeg
package import Foundation
package import KinemaCore

/// A decoded frame in a format the sampler can read, with its colours and orientation.
struct DecodedPicture: Sendable {
    let handle: FrameHandle
    let layout: PixelLayout
    let color: FrameColor
    let orientation: PixelOrientation

    /// Takes a decoded frame, and converts it once if the sampler cannot read its format or its pixels are not square.
    init(
        _ decoded: FrameHandle, orientation: PixelOrientation, isPicture: Bool, pixelAspect: PixelAspect = .square
    ) throws(KinemaError) {
        let frame = decoded.pointer.pointee
        let native = PixelLayout(decoded.format)
        let color = FrameColor(
            space: frame.colorspace, range: frame.color_range, format: decoded.format, height: decoded.height,
            isPicture: isPicture, isGray: native?.layout == .gray)
        if let native, pixelAspect.isSquare {
            (handle, layout) = (decoded, native)
        } else {
            let simple = hasAlpha(decoded.format) ? AV_PIX_FMT_BGRA : AV_PIX_FMT_RGB24
            let format = native == nil ? simple : decoded.format
            let size = pixelAspect.squareSize(width: decoded.width, height: decoded.height)
            handle = try FrameHandle(width: size.width, height: size.height, format: format)
            try ScalerHandle.convert(decoded, into: handle, from: color, to: native == nil ? .rgb : color)
            guard let readable = PixelLayout(format) else { throw .outOfMemory }
            layout = readable
        }
        (self.color, self.orientation) = (color, orientation)
        guard (0..<layout.planeCount).allSatisfy({ [handle] in handle.plane($0) != nil }) else {
            throw KinemaError(.unreadableInput, "the decoder returned a frame without an image; the file is damaged")
        }
    }

    init(handle: FrameHandle, layout: PixelLayout, color: FrameColor, orientation: PixelOrientation) {
        (self.handle, self.layout, self.color, self.orientation) = (handle, layout, color, orientation)
    }

    var width: Int { orientation.transposed ? handle.height : handle.width }
    var height: Int { orientation.transposed ? handle.width : handle.height }

    func withPlanes<R, E: Error>(_ body: (borrowing FramePlanes) throws(E) -> R) throws(E) -> R {
        // SAFETY: `handle` owns the planes and is kept alive until `body` returns.
        defer { withExtendedLifetime(handle) {} }
        var matrix = ColorMatrix(color.standard, fullRange: color.fullRange, bitDepth: layout.bitDepth)
        if case .packed = layout.layout { matrix = .none(bitDepth: 8) }
        guard let first = handle.plane(0) else { preconditionFailure("checked when the frame was created") }
        return try body(
            FramePlanes(
                layout: layout.layout, storedWidth: handle.width, storedHeight: handle.height,
                bytesPerSample: layout.bytesPerSample, bitDepth: layout.bitDepth, chromaShiftX: layout.chromaShiftX,
                chromaShiftY: layout.chromaShiftY,
                planes: (first, handle.plane(1) ?? first, handle.plane(2) ?? first),
                matrix: matrix, orientation: orientation))
    }

    /// The upright picture in blue, green, red, premultiplied alpha.
    func bitmap() throws(KinemaError) -> Bitmap {
        if orientation == .upright, width % FrameHandle.scalerStep == 0, !hasAlpha(handle.format) {
            return Bitmap(width: width, height: height, pixels: try converted())
        }
        let target = try FrameHandle(width: handle.width, height: handle.height, format: AV_PIX_FMT_BGRA)
        try ScalerHandle.convert(handle, into: target, from: color, to: .rgb)
        guard let plane = target.plane(0) else { throw .outOfMemory }
        var bitmap = orientation.displayed(plane, storedWidth: handle.width, storedHeight: handle.height)
        withExtendedLifetime(target) {}
        if hasAlpha(handle.format) { bitmap.premultiply() }
        return bitmap
    }

    private func converted() throws(KinemaError) -> [UInt8] {
        let size = width * height * 4
        var outcome: Result<Void, KinemaError> = .success(())
        let pixels = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            // SAFETY: the frame over the buffer does not outlive this closure; the scaler fills every row.
            outcome = Result { () throws(KinemaError) in
                let target = try FrameHandle(borrowing: base, width: width, height: height)
                try ScalerHandle.convert(handle, into: target, from: color, to: .rgb)
            }
            if case .success = outcome { count = size }
        }
        try outcome.get()
        return pixels
    }
}

extension PixelOrientation {
    /// A picture of four bytes a pixel, turned and mirrored for display.
    func displayed(_ plane: FramePlanes.Plane, storedWidth: Int, storedHeight: Int) -> Bitmap {
        let (width, height) = transposed ? (storedHeight, storedWidth) : (storedWidth, storedHeight)
        let map = map(storedWidth: storedWidth, storedHeight: storedHeight)
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            // SAFETY: the map stays inside the stored picture, and width x height pixels of 4 bytes fill the buffer.
            let output = UnsafeMutableRawBufferPointer(buffer)
            for y in 0..<height {
                let start = map.stored(x: 0, y: y)
                var source = plane.base + start.y * plane.bytesPerRow + start.x * 4
                let row = y * width * 4
                if self == .upright {
                    output.baseAddress.map { ($0 + row).copyMemory(from: source, byteCount: width * 4) }
                    continue
                }
                let step = map.yx * plane.bytesPerRow + map.xx * 4
                for x in 0..<width {
                    output.storeBytes(of: source.load(as: UInt32.self), toByteOffset: row + x * 4, as: UInt32.self)
                    source += step
                }
            }
            count = width * height * 4
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }
}

extension PixelLayout {
    var planeCount: Int {
        switch layout {
        case .gray, .packed: 1
        case .semiPlanar: 2
        case .planar: 3
        }
    }
}

extension Bitmap {
    func withPlanes<R, E: Error>(_ body: (borrowing FramePlanes) throws(E) -> R) throws(E) -> R {
        // SAFETY: the buffer outlives the closure; a bitmap has at least one pixel, so it has a base address.
        try pixels.withUnsafeBufferPointer { (buffer) throws(E) -> R in
            guard let base = buffer.baseAddress else { preconditionFailure("a bitmap has at least one pixel") }
            let plane = FramePlanes.Plane(base: UnsafeRawPointer(base), bytesPerRow: bytesPerRow)
            return try body(
                FramePlanes(
                    layout: .packed(red: 2, green: 1, blue: 0, bytesPerPixel: 4), storedWidth: width,
                    storedHeight: height,
                    bytesPerSample: 1, bitDepth: 8, chromaShiftX: 0, chromaShiftY: 0, planes: (plane, plane, plane),
                    matrix: .none(bitDepth: 8), orientation: .upright))
        }
    }

    func turned(_ orientation: PixelOrientation) -> Bitmap {
        withPlanes { orientation.displayed($0.planes.0, storedWidth: width, storedHeight: height) }
    }

    /// Multiplies the colours by alpha, as Cairo expects.
    mutating func premultiply() {
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = Int(pixels[start + 3])
            guard alpha < 255 else { continue }
            for channel in start..<start + 3 {
                // Rounded to nearest, as Cairo does.
                pixels[channel] = UInt8((Int(pixels[channel]) * alpha + 127) / 255)
            }
        }
    }
}

/// Borrowed access to a frame's samples without a copy, valid only inside the closure of `VideoFrame.withPlanes`.
package struct FramePlanes: ~Copyable {
    package enum Layout: Hashable, Sendable {
        case gray
        case planar
        /// Two planes: Y, then U and V interleaved; V comes first when `swapped`.
        case semiPlanar(swapped: Bool)
        /// One plane of pixels, 8 bits a channel, with the byte offsets of red, green and blue in a pixel.
        case packed(red: Int, green: Int, blue: Int, bytesPerPixel: Int)
    }

    // SAFETY: the pointers are valid inside the closure that borrows the planes; this value cannot be copied out.
    package struct Plane {
        /// The first sample of the top row.
        package let base: UnsafeRawPointer
        /// The distance from one row to the next; negative when rows are stored bottom up.
        package let bytesPerRow: Int
    }

    package let layout: Layout
    /// Stored columns, before rotation.
    package let storedWidth: Int
    /// Stored rows, before rotation.
    package let storedHeight: Int
    /// Bytes a sample: 1, or 2 in native byte order.
    package let bytesPerSample: Int
    /// Bits a sample, 8...16; the largest value is 2 to this power minus 1.
    package let bitDepth: Int
    /// Chroma has `storedWidth >> chromaShiftX` columns, rounded up.
    package let chromaShiftX: Int
    /// Chroma has `storedHeight >> chromaShiftY` rows, rounded up.
    package let chromaShiftY: Int
    /// One plane for grey and packed pixels, two for semi-planar, three for planar; the rest repeat the first.
    package let planes: (Plane, Plane, Plane)
    /// The conversion from samples to colours; packed pixels use only `lumaScale` (1/255).
    package let matrix: ColorMatrix
    /// The rotation and mirroring for display.
    package let orientation: PixelOrientation

    package var map: PixelMap { orientation.map(storedWidth: storedWidth, storedHeight: storedHeight) }
}

/// A planar 4:2:0 picture (I420), 8 bits a sample, without row padding: luma, then two chroma planes of half the size.
package struct PlanarPicture: Sendable, Equatable {
    package let width: Int
    package let height: Int
    /// Whether the colour matrix is BT.709; otherwise it is BT.601.
    package let isBT709: Bool
    /// Whether samples use the full value range instead of video's limited range.
    package let isFullRange: Bool
    package let samples: Data

    /// Takes the samples; nil if their number does not match the size.
    package init?(width: Int, height: Int, isBT709: Bool, isFullRange: Bool, samples: Data) {
        // Sides beyond 16 bits are useless, and their product could overflow.
        let sides = 1...Int(UInt16.max)
        guard sides.contains(width), sides.contains(height) else { return nil }
        guard samples.count == width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2) else { return nil }
        (self.width, self.height, self.samples) = (width, height, samples)
        (self.isBT709, self.isFullRange) = (isBT709, isFullRange)
    }

    /// The picture as a frame of a stream; throws `.invalidArgument` when it is larger than allowed.
    package func frame(
        _ id: TemporalSegmentIdentifier, maximumWidth: Int, maximumHeight: Int
    ) throws(KinemaError) -> VideoFrame {
        guard width <= maximumWidth, height <= maximumHeight else {
            throw .tooLarge(width, height, limit: (maximumWidth, maximumHeight))
        }
        let handle = try FrameHandle(width: width, height: height, format: AV_PIX_FMT_YUV420P)
        handle.pointer.pointee.colorspace = isBT709 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M
        handle.pointer.pointee.color_range = isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        samples.withUnsafeBytes { fill(handle.pointer.pointee, from: $0) }
        return VideoFrame(try DecodedPicture(handle, orientation: .upright, isPicture: false), id: id)
    }

    private func fill(_ frame: AVFrame, from samples: UnsafeRawBufferPointer) {
        let half = (width: (width + 1) / 2, height: (height + 1) / 2)
        var source = samples.baseAddress
        for (plane, stride, width, height) in [
            (frame.data.0, frame.linesize.0, width, height), (frame.data.1, frame.linesize.1, half.width, half.height),
            (frame.data.2, frame.linesize.2, half.width, half.height),
        ] {
            guard let plane else { continue }
            for row in 0..<height {
                // SAFETY: the frame has this many rows of at least this width, and `init` checked `samples.count`.
                source.map { UnsafeMutableRawPointer(plane + row * Int(stride)).copyMemory(from: $0, byteCount: width) }
                source = source.map { $0 + width }
            }
        }
    }
}
