import Foundation

/// Edit lists of QuickTime and MP4 that play parts of a film at other rates, as slow motion of phones does.
///
/// The frames of such a film keep the times at which they were filmed; only the list plays them slower.
enum EditList {
    /// Boxes and entries that are looked at: more than any film of a camera has.
    private static let mostBoxes = 4096
    /// A rate of 1 as fixed point with 16 bits of fraction (ISO/IEC 14496-12, 8.6.6).
    private static let normal = 0x1_0000
    private static let folders: Set<String> = ["moov", "trak", "edts"]

    /// Whether any edit of a film plays at another rate than 1; `read` returns bytes at a place, fewer at the end.
    static func changesRate(_ read: (_ place: Int, _ count: Int) -> [UInt8]) -> Bool {
        guard read(4, 4).elementsEqual("ftyp".utf8) || read(4, 4).elementsEqual("moov".utf8) else { return false }
        var (place, count) = (0, 0)
        while count < mostBoxes {
            count += 1
            let head = read(place, 16)
            guard head.count >= 8 else { return false }
            // Size 1: the size follows in 8 bytes; 0: the box ends the file.
            let short = number(head[0..<4])
            let size = short == 1 && head.count == 16 ? number(head[8..<16]) : short
            let name = String(decoding: head[4..<8], as: UTF8.self)
            if folders.contains(name) {
                place += short == 1 ? 16 : 8
                continue
            }
            if name == "elst", isScaled(read(place + 8, min(size, 20 * mostBoxes))) { return true }
            guard size >= 8, place <= Int.max - size else { return false }
            place += size
        }
        return false
    }

    /// Whether an entry with frames has another rate: its length, its start (-1 without frames) and its rate.
    private static func isScaled(_ list: [UInt8]) -> Bool {
        guard list.count > 8 else { return false }
        let width = list[0] == 1 ? 8 : 4
        let entries = stride(from: 8, to: list.count - 2 * width - 3, by: 2 * width + 4).prefix(number(list[4..<8]))
        return entries.contains { start in
            let (time, rate) = (list[start + width], number(list[(start + 2 * width)..<(start + 2 * width + 4)]))
            return time & 0x80 == 0 && rate != 0 && rate != normal
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(clamping: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
}
