internal import CCairo
public import Foundation
public import KinemaCore

/// Owns one Cairo surface and its drawing context; all calls into Cairo are here.
final class CairoHandle {
    private let surface, context: OpaquePointer
    /// Receives the document's bytes; nil for surfaces that draw into pixels.
    private let sink: DocumentSink?

    private init(surface: OpaquePointer?, sink: DocumentSink?) throws {
        // SAFETY: Cairo returns an error object, never null; deinit destroys both exactly once.
        guard let surface, let context = cairo_create(surface) else {
            throw KinemaError(.unwritableOutput, "Cairo cannot create a drawing surface")
        }
        (self.surface, self.context, self.sink) = (surface, context, sink)
        // A tolerance of a quarter pixel and fast antialiasing make no visible difference and save a third of the time.
        cairo_set_tolerance(context, 0.25)
        cairo_set_antialias(context, CAIRO_ANTIALIAS_FAST)
        try check()
    }

    /// Draws directly into four-byte pixels, which must outlive the handle.
    convenience init(pixels: UnsafeMutableRawBufferPointer, width: Int, height: Int) throws {
        // SAFETY: the caller keeps the buffer alive as long as the handle; it has width * height * 4 bytes.
        precondition(pixels.count >= width * height * 4, "four bytes a pixel")
        let bytes = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let surface = cairo_image_surface_create_for_data(
            bytes, CAIRO_FORMAT_ARGB32, Int32(width), Int32(height), Int32(width * 4))
        try self.init(surface: surface, sink: nil)
    }

    /// Draws an SVG document; the size is in points.
    convenience init(svgWidth width: Double, height: Double) throws {
        let sink = DocumentSink()
        // SAFETY: the handle owns the sink and finishes the surface before releasing it.
        let surface = cairo_svg_surface_create_for_stream(
            DocumentSink.write, Unmanaged.passUnretained(sink).toOpaque(), width, height)
        try self.init(surface: surface, sink: sink)
    }

    deinit {
        // SAFETY: init created both; Cairo allows finishing a surface twice.
        cairo_destroy(context)
        cairo_surface_finish(surface)
        cairo_surface_destroy(surface)
    }

    func check() throws {
        // SAFETY: the context is alive; Cairo's message is a static C string.
        let status = cairo_status(context)
        guard status == CAIRO_STATUS_SUCCESS else {
            throw KinemaError(
                .unwritableOutput, "Cairo cannot draw: \(String(cString: cairo_status_to_string(status)))")
        }
    }

    func flush() {
        // SAFETY: the surface is alive.
        cairo_surface_flush(surface)
    }

    func finishDocument() throws -> Data {
        // SAFETY: the surface is alive; Cairo calls the sink on this thread before it returns.
        try check()
        cairo_surface_finish(surface)
        return sink?.data ?? Data()
    }

    func png() throws -> Data {
        let sink = DocumentSink()
        // SAFETY: the call is synchronous, so the sink outlives it.
        let status = cairo_surface_write_to_png_stream(
            surface, DocumentSink.write, Unmanaged.passUnretained(sink).toOpaque())
        guard status == CAIRO_STATUS_SUCCESS else {
            throw KinemaError(.unwritableOutput, "Cairo cannot encode the image as PNG")
        }
        return sink.data
    }
}

private final class DocumentSink {
    var data = Data()

    static let write: cairo_write_func_t = { closure, bytes, count in
        // SAFETY: closure is the sink passed to the surface and lives as long as it; bytes has count bytes.
        guard let closure, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
        Unmanaged<DocumentSink>.fromOpaque(closure).takeUnretainedValue().data.append(bytes, count: Int(count))
        return CAIRO_STATUS_SUCCESS
    }
}

// MARK: - Paths, colours and text

// SAFETY: every call below passes the live context and plain values; Cairo records errors and `check` throws them.
extension CairoHandle {
    func move(to x: Double, _ y: Double) { cairo_move_to(context, x, y) }
    func line(to x: Double, _ y: Double) { cairo_line_to(context, x, y) }
    func curve(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, to x: Double, _ y: Double) {
        cairo_curve_to(context, x1, y1, x2, y2, x, y)
    }
    func arc(_ x: Double, _ y: Double, radius: Double, from: Double, to: Double) {
        cairo_arc(context, x, y, radius, from, to)
    }
    func newSubpath() { cairo_new_sub_path(context) }
    func closePath() { cairo_close_path(context) }
    func fill() { cairo_fill(context) }
    func stroke(keepingPath: Bool) {
        if keepingPath { cairo_stroke_preserve(context) } else { cairo_stroke(context) }
    }

    /// Strokes the path in colours that run from one point to another.
    func stroke(from start: CGPoint, to end: CGPoint, colors: (Color, Color)) {
        // SAFETY: the pattern is given back after the stroke, which needs it no longer.
        let pattern = cairo_pattern_create_linear(start.x, start.y, end.x, end.y)
        for (place, color) in [(0.0, colors.0), (1.0, colors.1)] {
            cairo_pattern_add_color_stop_rgba(pattern, place, color.red, color.green, color.blue, color.alpha)
        }
        cairo_set_source(context, pattern)
        cairo_stroke(context)
        cairo_pattern_destroy(pattern)
    }

    func setColor(_ color: Color) {
        cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    }

    func setStroke(width: Double, dash: [Double]) {
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        cairo_set_line_width(context, width)
        cairo_set_dash(context, dash, Int32(dash.count), 0)
    }

    func setFont(size: Double, bold: Bool) {
        // "sans" is the system's default; without any fonts Cairo falls back to its built-in stroke font.
        cairo_select_font_face(
            context, "sans", CAIRO_FONT_SLANT_NORMAL, bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
        cairo_set_font_size(context, size)
    }

    func show(_ text: String, x: Double, y: Double) {
        cairo_move_to(context, x, y)
        guard isBuiltInFont else {
            cairo_show_text(context, text)
            cairo_new_path(context)
            return
        }
        // Cairo's built-in font has hairline strokes; thickened by 5% of the size it is legible on small pictures.
        cairo_text_path(context, text)
        cairo_fill_preserve(context)
        setStroke(width: fontSize * 0.05, dash: [])
        cairo_stroke(context)
    }

    /// Whether Cairo uses its built-in font because the system has none.
    private var isBuiltInFont: Bool {
        cairo_scaled_font_get_type(cairo_get_scaled_font(context)) == CAIRO_FONT_TYPE_USER
    }

    private var fontSize: Double {
        var matrix = cairo_matrix_t()
        cairo_get_font_matrix(context, &matrix)
        return matrix.xx
    }

    func advance(of text: String) -> Double {
        var extents = cairo_text_extents_t()
        cairo_text_extents(context, text, &extents)
        return extents.x_advance
    }

    func save() { cairo_save(context) }
    func restore() { cairo_restore(context) }
    func transform(translateX x: Double, y: Double, rotation: Double) {
        cairo_translate(context, x, y)
        cairo_rotate(context, rotation)
    }
}

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
