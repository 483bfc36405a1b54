import KinemaCore

/// The array of poses in a NumPy archive (`.npz`), which is a zip file of arrays.
enum NumpyArchive {
    /// An array in the archive.
    private struct Entry {
        var name: String
        var isDeflated: Bool
        var packed: Range<Int>
        var size: Int
    }

    /// Whether a file begins as a zip file whose first part is an array.
    static func isArchive(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard bytes.starts(with: [0x50, 0x4B, 3, 4]), bytes.count > 30 else { return false }
        let head = Array(bytes.prefix(512))
        let name = head.dropFirst(30).prefix(Int(head[26]) | Int(head[27]) << 8)
        return name.suffix(4).elementsEqual(".npy".utf8)
    }

    /// The bytes of the one array whose shape `isWanted`; an archive of several is refused with their names.
    ///
    /// Throws `unreadableInput` when the archive is damaged, none or more than one fits, or one is beyond the limits.
    static func array(
        _ bytes: [UInt8], _ limits: PoseFileLimits, file: String, isWanted: ([Int]) -> Bool
    ) throws(KinemaError) -> [UInt8] {
        func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: file) }
        guard let entries = entries(bytes) else { throw broken("is damaged or cut short") }
        var found: [(name: String, content: [UInt8])] = []
        var total = 0
        for entry in entries where entry.name.hasSuffix(".npy") {
            total += entry.size
            guard total <= limits.bytes else { throw broken("unpacks to more than \(limits.bytes >> 20) MB; split it") }
            let content = try content(of: entry, in: bytes, limits, file)
            guard let shape = try? NumpyArray(content, file: file).shape, isWanted(shape) else { continue }
            found.append((String(entry.name.dropLast(4)), content))
        }
        guard let one = found.first else {
            let names = entries.prefix(8).map { PlainText.oneLine($0.name) }.joined(separator: ", ")
            throw broken("holds no array of joints: \(names); give frames x 33, 26, 25, 18 or 17 x 3 or 2")
        }
        guard found.count == 1 else {
            let names = found.prefix(8).map { PlainText.oneLine($0.name) }.joined(separator: ", ")
            throw broken("holds \(found.count) arrays of joints: \(names); save the one that is meant as .npy")
        }
        return one.content
    }

    private static func content(
        of entry: Entry, in bytes: [UInt8], _ limits: PoseFileLimits, _ file: String
    ) throws(KinemaError) -> [UInt8] {
        guard entry.isDeflated else { return Array(bytes[entry.packed]) }
        return try Gzip.inflate(
            Array(bytes[entry.packed]), limit: min(limits.bytes, entry.size), ratio: limits.ratio,
            free: limits.ratioExemptBytes, file: file)
    }

    /// The entries of the directory at the end (PKWARE's APPNOTE 6.3, 4.3.12); nil if it is damaged.
    private static func entries(_ bytes: [UInt8]) -> [Entry]? {
        func number(_ offset: Int, _ width: Int) -> Int? {
            guard offset >= 0, offset + width <= bytes.count else { return nil }
            return (0..<width).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        // The record that ends the archive has 22 bytes and a comment, of which NumPy writes none.
        let end = bytes.count - 22
        guard number(end, 4) == 0x0605_4B50, let count = number(end + 10, 2), var place = number(end + 16, 4) else {
            return nil
        }
        guard count <= mostEntries else { return nil }
        var entries: [Entry] = []
        for _ in 0..<count {
            guard number(place, 4) == 0x0201_4B50, let method = number(place + 10, 2), method == 0 || method == 8,
                let packed = number(place + 20, 4), let size = number(place + 24, 4),
                let nameLength = number(place + 28, 2), let extra = number(place + 30, 2),
                let comment = number(place + 32, 2), let offset = number(place + 42, 4),
                place + 46 + nameLength <= bytes.count
            else { return nil }
            let name = String(decoding: bytes[(place + 46)..<(place + 46 + nameLength)], as: UTF8.self)
            // The entry's own record repeats the name and has an extra field of another length.
            guard number(offset, 4) == 0x0403_4B50, let ownName = number(offset + 26, 2),
                let ownExtra = number(offset + 28, 2)
            else { return nil }
            let start = offset + 30 + ownName + ownExtra
            guard start + packed <= bytes.count, method == 8 || packed == size else { return nil }
            entries.append(Entry(name: name, isDeflated: method == 8, packed: start..<(start + packed), size: size))
            place += 46 + nameLength + extra + comment
        }
        return entries
    }

    /// Arrays in an archive at most.
    private static let mostEntries = 1000
}
