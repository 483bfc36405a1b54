import KinemaCore

/// The array of poses in a NumPy archive (`.npz`), which is a zip file of arrays.
enum NumpyArchive {
    /// Whether a file begins as a zip file whose first part is an array.
    static func isArchive(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard bytes.starts(with: [0x50, 0x4B, 3, 4]), bytes.count > 30 else { return false }
        let head = Array(bytes.prefix(512))
        let name = head.dropFirst(30).prefix(Int(head[26]) | Int(head[27]) << 8)
        return name.suffix(4).elementsEqual(".npy".utf8)
    }

    /// The bytes of the one array whose shape `isWanted`.
    ///
    /// Throws `unreadableInput` when the archive is damaged, not exactly one fits, or one is beyond the limits.
    static func array(
        _ bytes: [UInt8], _ limits: PoseFileLimits, file: String, isWanted: ([Int]) -> Bool
    ) throws(KinemaError) -> [UInt8] {
        func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: file) }
        guard let zip = try? ZipReader(bytes, path: file, mostEntries: mostEntries) else {
            throw broken("is damaged or cut short")
        }
        var found: [(name: String, content: [UInt8])] = []
        var total = 0
        for entry in zip.entries where entry.name.hasSuffix(".npy") {
            total += entry.size
            guard total <= limits.bytes else { throw broken("unpacks to more than \(limits.bytes >> 20) MB; split it") }
            let content = try content(of: entry, in: zip, limits, file)
            guard let shape = try? NumpyArray(content, file: file).shape, isWanted(shape) else { continue }
            found.append((String(entry.name.dropLast(4)), content))
        }
        guard let one = found.first else {
            let names = zip.entries.prefix(8).map { PlainText.oneLine($0.name) }.joined(separator: ", ")
            throw broken("contains no array of joints: \(names); give frames x 33, 26, 25, 18 or 17 x 3 or 2")
        }
        guard found.count == 1 else {
            let names = found.prefix(8).map { PlainText.oneLine($0.name) }.joined(separator: ", ")
            throw broken("contains \(found.count) arrays of joints: \(names); save the one to read as .npy")
        }
        return one.content
    }

    static func content(
        of entry: ZipReader.Entry, in zip: ZipReader, _ limits: PoseFileLimits, _ file: String
    ) throws(KinemaError) -> [UInt8] {
        guard entry.size <= Gzip.expectedSize(of: entry.packed, ratio: limits.ratio, free: limits.ratioExemptBytes)
        else { throw Gzip.tooLarge(limits.ratio, file) }
        guard let content = try? zip.content(entry, atMost: limits.bytes) else { throw Gzip.damaged(file) }
        return content
    }

    static let mostEntries = 1000
}
