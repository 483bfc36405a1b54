import Foundation
import KinemaCore
import KinemaMedia

struct BatchInput: Sendable, Hashable {
    let path: String
    /// The path in the folder of results, without a format's ending.
    let name: String

    /// The name in the manifest, which does not depend on the current folder.
    var source: String { URL(filePath: path).standardizedFileURL.path }

    /// Size and date, whose change makes a result out of date; nil without a file.
    var state: (size: Int, modified: Double)? {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path)
        guard let size = attributes?[.size] as? Int, let date = attributes?[.modificationDate] as? Date else {
            return nil
        }
        return (size, (date.timeIntervalSince1970 * 1000).rounded() / 1000)
    }

    var sha256: String? { try? ContentDigest.sha256(contentsOf: URL(filePath: path)) }

    /// The endings of FFmpeg's usual containers.
    private static let endings: Set = [
        "3gp", "avi", "flv", "gif", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "mxf", "ogv", "ts",
        "webm", "wmv",
    ]

    static func find(_ paths: [String], outside results: URL) -> [BatchInput] {
        var seen: Set<String> = []
        let excluded = results.standardizedFileURL.resolvingSymlinksInPath().path + "/"
        return paths.flatMap { path -> [BatchInput] in
            guard FileManager.default.isFolder(path) else {
                return [BatchInput(path: plain(path), name: URL(filePath: path).lastPathComponent)]
            }
            return videos(in: path).map {
                BatchInput(path: plain(path + ($0.hasPrefix("/") ? "" : "/") + $0), name: $0)
            }
        }.filter { input in
            let place = URL(filePath: input.path).standardizedFileURL.resolvingSymlinksInPath().path
            return !place.hasPrefix(excluded) && seen.insert(place).inserted
        }
    }

    private static func videos(in folder: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let root = URL(filePath: folder, directoryHint: .isDirectory)
        return all.filter { name in
            let place = root.appending(path: name)
            return endings.contains(place.pathExtension.lowercased())
                && !name.split(separator: "/").contains { $0.hasPrefix(".") }
                && !BoundedFile.isSpecial(place) && !FileManager.default.isFolder(place.path)
        }.sorted()
    }

    /// A path that the command cannot mistake for an option, a camera or standard input.
    private static func plain(_ path: String) -> String {
        path.hasPrefix("/") || path.hasPrefix(".") ? path : "./" + path
    }
}
