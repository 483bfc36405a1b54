import Foundation
import Testing

/// An answer over HTTP, taken apart.
struct RawAnswer {
    var status = 0
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// A field's value; nil when it is absent or comes more than once.
    subscript(_ name: String) -> String? {
        let found = fields.filter { $0.name == name.lowercased() }
        return found.count == 1 ? found[0].value : nil
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The code of the error in the body.
    var code: String? {
        struct Body: Decodable {
            struct Fault: Decodable { var code: String }
            var error: Fault
        }
        return try? JSONDecoder().decode(Body.self, from: Data(body)).error.code
    }
}

extension RawClient {
    /// Reads one answer; nil when the server closed without one. `hasBody` is false for what answers HEAD.
    func answer(hasBody: Bool = true) async throws -> RawAnswer? {
        var bytes: [UInt8] = []
        let gap = Array("\r\n\r\n".utf8)
        while bytes.firstRange(of: gap) == nil {
            guard let more = try await receive() else { return nil }
            bytes += more
        }
        guard let end = bytes.firstRange(of: gap) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        var answer = RawAnswer()
        answer.status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
        answer.fields = lines.dropFirst().compactMap { line in
            line.firstIndex(of: ":").map {
                (line[..<$0].lowercased(), line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces))
            }
        }
        answer.body = Array(bytes[end.upperBound...])
        let length = hasBody ? Int(answer["content-length"] ?? "0") ?? 0 : 0
        while answer.body.count < length {
            guard let more = try await receive() else { return nil }
            answer.body += more
        }
        return answer
    }
}

/// Expects an answer with this status.
func expect(_ status: Int, _ answer: RawAnswer?, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(answer?.status == status, sourceLocation: sourceLocation)
}
