public import Foundation
public import KinemaCore

extension Bitmap {
    /// Draws on the image with Cairo; the canvas is valid only inside the closure.
    ///
    /// Throws `KinemaError.Code.unwritableOutput` when Cairo cannot draw, for example when memory runs out.
    public mutating func draw<Failure: Error>(_ drawing: (Canvas) throws(Failure) -> Void) throws {
        let (width, height) = (width, height)
        // SAFETY: the handle lives only inside the closure, so it never outlives the pixels it draws into.
        try pixels.withUnsafeMutableBytes { bytes in
            let handle = try CairoHandle(pixels: bytes, width: width, height: height)
            try drawing(Canvas(handle: handle, width: Double(width), height: Double(height)))
            handle.flush()
            try handle.check()
        }
    }

    /// The image encoded as PNG.
    public func png() throws -> Data {
        var copy = pixels
        let (width, height) = (width, height)
        // SAFETY: as in `draw`; Cairo takes a mutable pointer but only reads.
        return try copy.withUnsafeMutableBytes { bytes in
            try CairoHandle(pixels: bytes, width: width, height: height).png()
        }
    }

    /// Writes the image as a PNG file.
    public func writePNG(to url: URL) throws { try AtomicFile.write(png(), to: url) }
}

extension Canvas {
    /// Draws an SVG document and returns its bytes; the size is in points.
    public static func svg(width: Double, height: Double, _ drawing: (Canvas) throws -> Void) throws -> Data {
        let handle = try CairoHandle(svgWidth: width, height: height)
        try drawing(Canvas(handle: handle, width: width, height: height))
        return try handle.finishDocument()
    }

    /// Writes a drawing on white as `.svg` or `.png`; throws `.invalidArgument` or `.unwritableOutput`.
    package static func write(width: Double, height: Double, to url: URL, _ drawing: (Canvas) throws -> Void) throws {
        switch url.pathExtension.lowercased() {
        case "svg": try AtomicFile.write(svg(width: width, height: height, drawing), to: url)
        case "png":
            var bitmap = Bitmap(width: Int(width), height: Int(height), red: 255, green: 255, blue: 255)
            try bitmap.draw(drawing)
            try bitmap.writePNG(to: url)
        default:
            throw KinemaError(
                .invalidArgument, "drawings are written as .svg or .png: change the file's extension", file: url.path)
        }
    }
}
