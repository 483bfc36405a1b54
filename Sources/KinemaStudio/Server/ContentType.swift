enum ContentType {
    private static let byEnding = [
        "html": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8",
        "json": "application/json; charset=utf-8",
        "jsonl": "application/jsonl; charset=utf-8",
        "webmanifest": "application/manifest+json",
        "svg": "image/svg+xml",
        "png": "image/png",
        "jpg": "image/jpeg",
        "ico": "image/x-icon",
        "woff2": "font/woff2",
        "txt": "text/plain; charset=utf-8",
        "csv": "text/csv; charset=utf-8",
        "trc": "text/tab-separated-values; charset=utf-8",
        "mot": "text/tab-separated-values; charset=utf-8",
        "mp4": "video/mp4",
        "webm": "video/webm",
        "zip": "application/zip",
    ]

    static func of(_ name: some StringProtocol) -> String {
        let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        return byEnding[ending] ?? "application/octet-stream"
    }
}
