/// The lines of a file with their numbers from 1, without line ends and without empty lines.
struct ByteLines<Bytes: Collection<UInt8>>: Sequence, IteratorProtocol {
    private var remaining: Bytes.SubSequence
    private var number = 0

    init(_ bytes: Bytes) { remaining = bytes[...] }

    mutating func next() -> (number: Int, text: Bytes.SubSequence)? {
        while !remaining.isEmpty {
            number += 1
            let end = remaining.firstIndex { $0 == 10 || $0 == 13 } ?? remaining.endIndex
            let line = remaining[remaining.startIndex..<end]
            remaining = remaining[end...]
            // A carriage return and a line feed are one line end.
            if remaining.popFirst() == 13, remaining.first == 10 { remaining = remaining.dropFirst() }
            if !line.isEmpty { return (number, line) }
        }
        return nil
    }
}

extension ByteLines: Sendable where Bytes: Sendable, Bytes.SubSequence: Sendable {}
