package import Foundation
import KinemaCore
import NIOHTTP1

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

/// A file as an answer, whole or the requested range.
package enum FileResponse {
    package static func answer(_ request: StudioRequest, _ file: URL) throws -> StudioResponse {
        guard let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int else {
            throw HTTPError.notMade
        }
        var response = StudioResponse(.ok, body: .file(file, 0..<size))
        if let field = request.headers.first(name: "range"), let wanted = range(field, of: size) {
            guard !wanted.isEmpty else {
                throw HTTPError(
                    .rangeNotSatisfiable, "no-such-part", "The file has no such part.",
                    fields: ["Content-Range": "bytes */\(size)"])
            }
            response = StudioResponse(.partialContent, body: .file(file, wanted))
            response.headers.add(
                name: "Content-Range", value: "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/\(size)")
        }
        response.headers.add(name: "Content-Type", value: ContentType.of(file.lastPathComponent))
        response.headers.add(name: "Accept-Ranges", value: "bytes")
        return response
    }

    /// The requested bytes; nil if RFC 9110 ignores the field: several ranges, other units, unreadable text.
    static func range(_ field: String, of size: Int) -> Range<Int>? {
        guard field.hasPrefix("bytes=") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }) else { return nil }
        switch (Int(ends[0]), Int(ends[1])) {
        case (nil, let last?) where ends[0].isEmpty: return max(0, size - min(size, last))..<size
        case (let first?, nil) where ends[1].isEmpty: return min(first, size)..<size
        case (let first?, let last?) where first <= last:
            let start = min(first, size)
            return start..<max(start, min(last, size - 1) + 1)
        default: return nil
        }
    }
}

/// The page's files, read once at start-up: a request is looked up in this list and never reaches the disk.
package struct StaticFiles: Sendable {
    private struct File: Sendable {
        let data: Data
        let type: String
        let tag: String
    }

    private static let mostBytes = 16 << 20

    private var files: [String: File] = [:]

    /// Reads a folder and all below it, without hidden files and links that lead out.
    package init(folder: URL) throws {
        let unreadable = KinemaError(
            .missingComponent, "the studio's page cannot be read; build again", file: folder.path)
        let root = folder.resolvingSymlinksInPath().path + "/"
        let keys: [URLResourceKey] = [.isRegularFileKey]
        guard
            let found = FileManager.default.enumerator(
                at: URL(filePath: root), includingPropertiesForKeys: keys, options: [.skipsHiddenFiles])
        else { throw unreadable }
        var bytes = 0
        for case let url as URL in found {
            guard try url.resourceValues(forKeys: Set(keys)).isRegularFile == true, url.path.hasPrefix(root) else {
                continue
            }
            guard let content = try? BoundedFile.read(url, limit: Self.mostBytes - bytes) else {
                throw unreadable
            }
            bytes += content.count
            let data = Data(content)
            let name = String(url.path.dropFirst(root.count))
            files["/" + name] = File(data: data, type: ContentType.of(name), tag: Self.tag(data))
        }
        guard let index = files["/index.html"] else { throw unreadable }
        // Every file of the page, for the service worker.
        let list = try JSONEncoder.ordered.encode(["files": files.keys.map { String($0.dropFirst()) }.sorted()])
        files["/files.json"] = File(data: list, type: ContentType.of("files.json"), tag: Self.tag(list))
        files["/"] = index
        // Addresses that are read out or typed.
        for name in ["phone", "room", "now"] { files["/" + name] = files["/\(name).html"] }
    }

    /// The answer to a request for a file; nil for unknown names.
    package func answer(_ request: StudioRequest) throws -> StudioResponse? {
        guard let file = files[String(request.path)] else { return nil }
        guard request.method == .GET || request.method == .HEAD else { throw HTTPError.method("GET, HEAD") }
        let fields = ["ETag": file.tag, "Cache-Control": "no-cache"]
        let known = request.headers[canonicalForm: "if-none-match"].map { $0.hasPrefix("W/") ? $0.dropFirst(2) : $0 }
        if known.contains(file.tag[...]) || known == ["*"] { return StudioResponse(.notModified, fields: fields) }
        var response = StudioResponse(.ok, fields: fields, body: .bytes(file.data))
        response.headers.add(name: "Content-Type", value: file.type)
        return response
    }

    /// An entity tag of the FNV-1a hash (Fowler, Noll, Vo) and the length.
    private static func tag(_ data: Data) -> String {
        let sum = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        return "\"\(String(sum, radix: 16))-\(String(data.count, radix: 16))\""
    }
}

/// The page's files in the bundle that is built beside the command.
package enum PageFolder {
    package static let bundleName = "Kinema_KinemaStudio.resources"

    /// The folder, or nil without the bundle; `Bundle.module` would end the process then.
    package static func find() -> URL? {
        // Links are followed, so that a link to the command from a folder in the PATH finds its bundle.
        let command = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let places = [command, command.appending(path: "../share/kinema"), Bundle.main.bundleURL]
        return places.lazy.map { $0.appending(path: bundleName).appending(path: "Page").standardizedFileURL }
            .first { FileManager.default.fileExists(atPath: $0.appending(path: "index.html").path) }
    }
}
