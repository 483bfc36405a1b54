import NIOHTTP1

/// The security header fields of every response.
enum SecurityHeaders {
    /// Only the studio's scripts, styles and connections; no frames, no forms, nothing inline.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
        "media-src 'self' blob:", "connect-src 'self'", "manifest-src 'self'", "font-src 'self'", "base-uri 'none'",
        "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    static func add(to fields: inout HTTPHeaders, isAPI: Bool) {
        fields.add(name: "Content-Security-Policy", value: policy)
        fields.add(name: "X-Content-Type-Options", value: "nosniff")
        fields.add(name: "Referrer-Policy", value: "no-referrer")
        fields.add(name: "Permissions-Policy", value: "camera=(self), microphone=(), geolocation=()")
        fields.add(name: "Cross-Origin-Resource-Policy", value: "same-origin")
        fields.add(name: "Cross-Origin-Opener-Policy", value: "same-origin")
        fields.add(name: "X-Frame-Options", value: "DENY")
        if isAPI || !fields.contains(name: "cache-control") {
            fields.replaceOrAdd(name: "Cache-Control", value: "no-store")
        }
    }
}
