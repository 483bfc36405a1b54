public import Foundation
public import KinemaCore

extension Bitmap {
    /// Draws on the picture with Cairo; the canvas must not be kept beyond the closure.
    ///
    /// Throws `KinemaError.Code.unwritableOutput` when Cairo cannot draw, for lack of memory for instance.
    public mutating func draw<Failure: Error>(_ drawing: (Canvas) throws(Failure) -> Void) throws {
        let (width, height) = (width, height)
        // SAFETY: the handle lives only inside the closure, so it cannot outlast the pixels it draws into.
        try pixels.withUnsafeMutableBytes { bytes in
            let handle = try CairoHandle(pixels: bytes, width: width, height: height)
            try drawing(Canvas(handle: handle, width: Double(width), height: Double(height)))
            handle.flush()
            try handle.check()
        }
    }

    /// The picture as a PNG file's bytes.
    public func png() throws -> Data {
        var copy = pixels
        let (width, height) = (width, height)
        // SAFETY: as in `draw`; Cairo wants a mutable pointer but only reads.
        return try copy.withUnsafeMutableBytes { bytes in
            try CairoHandle(pixels: bytes, width: width, height: height).png()
        }
    }

    /// Writes the picture as a PNG file.
    public func writePNG(to url: URL) throws {
        try png().write(toDrawing: url)
    }
}

extension Canvas {
    /// Draws an SVG document of the given size in points and returns its bytes.
    public static func svg(width: Double, height: Double, _ drawing: (Canvas) throws -> Void) throws -> Data {
        let handle = try CairoHandle(svgWidth: width, height: height)
        try drawing(Canvas(handle: handle, width: width, height: height))
        return try handle.finishDocument()
    }

    /// Draws an SVG document of the given size in points into a file.
    public static func writeSVG(
        width: Double, height: Double, to url: URL, _ drawing: (Canvas) throws -> Void
    ) throws {
        try svg(width: width, height: height, drawing).write(toDrawing: url)
    }
}

extension Data {
    /// Writes a drawing's bytes in one go, or says which file cannot be written and why.
    fileprivate func write(toDrawing url: URL) throws {
        do {
            try write(to: url, options: .atomic)
        } catch {
            throw KinemaError(
                .unwritableOutput,
                "cannot write the drawing: check that the folder exists, is writable and has space left",
                file: url.path)
        }
    }
}
