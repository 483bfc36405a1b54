import Foundation
import KinemaCore
import NIOHTTP1

/// The page's files, read once at start-up: a request is looked up in this list and never reaches the disk.
struct StaticFiles: Sendable {
    private struct File: Sendable {
        let data: Data
        let type: String
        let tag: String
    }

    private static let mostBytes = 16 << 20

    private var files: [String: File] = [:]

    /// Reads a folder and all below it, without hidden files and links that lead out.
    init(folder: URL) throws {
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
    }

    /// The answer to a request for a file; nil for unknown names.
    func answer(_ request: StudioRequest) throws -> StudioResponse? {
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
enum PageFolder {
    static let bundleName = "Kinema_KinemaStudio.resources"

    /// The folder, or nil without the bundle; `Bundle.module` would end the process then.
    static func find() -> URL? {
        // Links are followed, so that a link to the command from a folder in the PATH finds its bundle.
        let command = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let places = [command, command.appending(path: "../share/kinema"), Bundle.main.bundleURL]
        return places.lazy.map { $0.appending(path: bundleName).appending(path: "Page").standardizedFileURL }
            .first { FileManager.default.fileExists(atPath: $0.appending(path: "index.html").path) }
    }
}
