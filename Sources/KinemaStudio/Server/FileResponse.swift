import Foundation
import NIOHTTP1

/// A file as an answer, whole or the requested range.
enum FileResponse {
    static func answer(_ request: StudioRequest, _ file: URL) throws -> StudioResponse {
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
