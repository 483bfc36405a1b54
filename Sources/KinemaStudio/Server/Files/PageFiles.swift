import Foundation
import NIOHTTP1

/// The page's files, read once at start-up: a request is looked up in this list and never reaches the disk.
struct PageFiles: Sendable {
    /// A file with what is said about it.
    private struct File: Sendable {
        let data: Data
        let type: String
        let tag: String
    }

    /// A page is small; a folder larger than this is not one.
    private static let mostBytes = 16 << 20

    private var files: [String: File] = [:]

    /// Reads a folder with everything below it, leaving out hidden files and what links lead out to.
    init(folder: URL) throws {
        let root = folder.resolvingSymlinksInPath().path + "/"
        let keys: [URLResourceKey] = [.isRegularFileKey]
        guard
            let found = FileManager.default.enumerator(
                at: URL(filePath: root), includingPropertiesForKeys: keys, options: [.skipsHiddenFiles])
        else { throw StudioFault.pageUnreadable(folder.path).error }
        var bytes = 0
        for case let url as URL in found {
            guard try url.resourceValues(forKeys: Set(keys)).isRegularFile == true, url.path.hasPrefix(root) else {
                continue
            }
            let data = try Data(contentsOf: url)
            bytes += data.count
            guard bytes <= Self.mostBytes else { throw StudioFault.pageUnreadable(folder.path).error }
            let name = String(url.path.dropFirst(root.count))
            files["/" + name] = File(data: data, type: ContentType.of(name), tag: Self.tag(data))
        }
        guard let index = files["/index.html"] else { throw StudioFault.pageUnreadable(folder.path).error }
        files["/"] = index
    }

    /// The answer to a request for a file; nil when there is none by that name.
    func answer(_ request: StudioRequest) throws -> StudioResponse? {
        guard let file = files[String(request.path)] else { return nil }
        guard request.method == .GET || request.method == .HEAD else { throw Refusal.method("GET, HEAD") }
        let fields = ["ETag": file.tag, "Cache-Control": "no-cache"]
        let known = request.headers[canonicalForm: "if-none-match"].map { $0.hasPrefix("W/") ? $0.dropFirst(2) : $0 }
        if known.contains(file.tag[...]) || known == ["*"] { return StudioResponse(.notModified, fields: fields) }
        var response = StudioResponse(.ok, fields: fields, body: .bytes(file.data))
        response.headers.add(name: "Content-Type", value: file.type)
        return response
    }

    /// The FNV-1a sum (Fowler, Noll, Vo) of the bytes: changes with them, which is all a tag is for.
    private static func tag(_ data: Data) -> String {
        let sum = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        return "\"\(String(sum, radix: 16))-\(String(data.count, radix: 16))\""
    }
}
