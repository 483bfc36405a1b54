package import KinemaCore

/// The header of an ONNX file, which OpenVINO's C API lacks: producer, metadata and operators. Reads the needed fields
/// of `onnx.proto` (ONNX 1.13), checked against the file's size, and rejects tensors that refer to other files.
package struct ONNXHeader: Sendable, Hashable {
    /// The program that wrote the file, such as pytorch; empty if it does not say.
    package private(set) var producer = ""
    package private(set) var metadata: [String: String] = [:]
    /// The version of each set of operators, by the set's domain; the standard's is "".
    package private(set) var operators: [String: Int] = [:]
    package private(set) var nodes = 0

    /// The maximum count of metadata entries, and the longest key and entry in bytes.
    static let (mostEntries, longestKey, longestEntry) = (256, 256, 1 << 20)
    /// The maximum number of messages read from a graph: a hundred times a large network's nodes and tensors.
    static let mostMessages = 1_000_000
    /// The newest plausible version of the standard's operators; ONNX 1.19 of 2025 has version 24.
    static let newestOperators = 32
    /// The maximum nesting depth of graphs.
    static let deepest = 8

    /// Reads a file's content; throws `.unreadableInput` for a damaged or incomplete file, or one that is not ONNX.
    package init(_ bytes: [UInt8], file: String) throws(KinemaError) {
        let damaged = KinemaError(
            .unreadableInput, "is damaged, cut short or not ONNX; copy it again or export it again", file: file)
        var walk = Walk(bytes: bytes, damaged: damaged)
        var (hasVersion, hasGraph) = (false, false)
        var reader = ProtobufReader(bytes, 0..<bytes.count, damaged: damaged)
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (1, .number): hasVersion = true
            case (2, .bytes(let range)):
                guard range.count <= Self.longestKey else { throw damaged }
                producer = walk.text(range)
            case (7, .bytes(let range)):
                hasGraph = true
                try walk.read(.graph, range)
            case (8, .bytes(let range)):
                let (domain, version) = try walk.operators(range)
                guard operators.count < Self.mostEntries else { throw damaged }
                operators[domain == "ai.onnx" ? "" : domain] = version
            case (14, .bytes(let range)):
                let (key, entry) = try walk.entry(range)
                guard metadata.count < Self.mostEntries else { throw damaged }
                metadata[key] = entry
            case (25, .bytes(let range)): try walk.read(.function, range)
            default: break
            }
        }
        guard hasVersion, hasGraph, walk.nodes > 0 else { throw damaged }
        guard !walk.hasOtherFiles else {
            throw KinemaError(.unreadableInput, "keeps numbers in another file; export it as one file", file: file)
        }
        if let version = operators[""], version > Self.newestOperators {
            throw KinemaError.unreadable(
                "needs operators of version \(version), which is not known; export with version 17", file)
        }
        nodes = walk.nodes
    }
}

private struct Walk {
    /// The messages that lead to tensors (`GraphProto`, `FunctionProto`, `NodeProto` and so on).
    enum Message {
        case graph, function, node, attribute, tensor, sparseTensor

        /// The message in a field; nil for any other.
        func part(_ field: Int) -> Message? {
            switch (self, field) {
            case (.graph, 1), (.function, 7): .node
            case (.node, 5): .attribute
            case (.attribute, 6), (.attribute, 11): .graph
            case (.graph, 5), (.attribute, 5), (.attribute, 10), (.sparseTensor, 1), (.sparseTensor, 2): .tensor
            case (.graph, 15), (.attribute, 22), (.attribute, 23): .sparseTensor
            default: nil
            }
        }
    }

    let bytes: [UInt8]
    let damaged: KinemaError
    var hasOtherFiles = false
    var nodes = 0
    private var messages = 0

    init(bytes: [UInt8], damaged: KinemaError) { (self.bytes, self.damaged) = (bytes, damaged) }

    private mutating func reader(_ range: Range<Int>) throws(KinemaError) -> ProtobufReader {
        messages += 1
        guard messages <= ONNXHeader.mostMessages else { throw damaged }
        return ProtobufReader(bytes, range, damaged: damaged)
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// An entry of metadata (`StringStringEntryProto`).
    mutating func entry(_ range: Range<Int>) throws(KinemaError) -> (key: String, value: String) {
        var (key, value) = ("", "")
        var reader = try reader(range)
        while case (let field, .bytes(let part))? = try reader.next() {
            guard part.count <= (field == 1 ? ONNXHeader.longestKey : ONNXHeader.longestEntry) else { throw damaged }
            if field == 1 { key = text(part) } else if field == 2 { value = text(part) }
        }
        return (key, value)
    }

    /// A set of operators (`OperatorSetIdProto`).
    mutating func operators(_ range: Range<Int>) throws(KinemaError) -> (domain: String, version: Int) {
        var (domain, version) = ("", 0)
        var reader = try reader(range)
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (1, .bytes(let part)) where part.count <= ONNXHeader.longestKey: domain = text(part)
            case (2, .number(let number)): version = Int(clamping: number)
            default: break
            }
        }
        return (domain, version)
    }

    /// Counts the nodes in a message and finds whether its tensors lie in the file.
    mutating func read(_ message: Message, _ range: Range<Int>, depth: Int = 0) throws(KinemaError) {
        guard depth <= ONNXHeader.deepest else { throw damaged }
        if message == .node { nodes += 1 }
        var reader = try reader(range)
        while let (field, value) = try reader.next() {
            switch (message, field, value) {
            case (.tensor, 13, _): hasOtherFiles = true
            case (.tensor, 14, .number(let place)) where place != 0: hasOtherFiles = true
            case (_, _, .bytes(let part)):
                guard let inner = message.part(field) else { continue }
                try read(inner, part, depth: inner == .graph ? depth + 1 : depth)
            default: break
            }
        }
    }
}

/// Reads a Protocol Buffers message field by field, without copying, checking every length. Groups are refused.
struct ProtobufReader {
    enum Value {
        case number(UInt64)
        /// Bytes, a text or a nested message, by its byte range.
        case bytes(Range<Int>)
        /// A number of four or eight bytes.
        case fixed
    }

    private let bytes: [UInt8]
    private var position: Int
    private let end: Int
    private let damaged: KinemaError

    init(_ bytes: [UInt8], _ range: Range<Int>, damaged: KinemaError) {
        (self.bytes, self.damaged) = (bytes, damaged)
        (position, end) = (range.lowerBound, min(range.upperBound, bytes.count))
    }

    /// The next field's number and value; nil at the end.
    mutating func next() throws(KinemaError) -> (field: Int, value: Value)? {
        guard position < end else { return nil }
        let key = try varint()
        // Field numbers have 29 bits.
        guard key >> 3 >= 1, key >> 3 < 1 << 29 else { throw damaged }
        let field = Int(key >> 3)
        switch key & 7 {
        case 0: return (field, .number(try varint()))
        case 1:
            try skip(8)
            return (field, .fixed)
        case 2:
            let count = try varint()
            guard count <= UInt64(end - position) else { throw damaged }
            let start = position
            try skip(Int(count))
            return (field, .bytes(start..<position))
        case 5:
            try skip(4)
            return (field, .fixed)
        default: throw damaged
        }
    }

    private mutating func skip(_ count: Int) throws(KinemaError) {
        guard count <= end - position else { throw damaged }
        position += count
    }

    private mutating func varint() throws(KinemaError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard position < end else { throw damaged }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return value }
        }
        throw damaged
    }
}
