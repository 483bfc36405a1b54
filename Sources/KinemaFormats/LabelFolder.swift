import KinemaMotion
import Foundation
import KinemaCore

/// A folder of Ultralytics' labels, as written by `save_txt=True`: one file per frame, one line per person.
enum LabelFolder {
    /// The numbers before the joints: class, and centre and size of the box.
    private static let boxNumbers = 5

    /// The layout of a line by its count of numbers; a confidence and the person's number may follow the joints.
    private struct Layout {
        let order: JointOrder
        let each, rest: Int

        init?(_ count: Int) {
            // In 41 numbers, the last two are a confidence and a person after 17 x 2 rather than part of 18 x 2.
            let layouts = [(3, 0), (3, 1), (3, 2), (2, 0), (2, 1), (2, 2)].compactMap { each, rest in
                NumberRow(count - boxNumbers - rest, of: .body).flatMap {
                    $0.width == $0.order.count * each ? (order: $0.order, each: each, rest: rest) : nil
                }
            }
            guard let layout = layouts.first(where: { $0.order == .coco17 }) ?? layouts.first else { return nil }
            (order, each, rest) = layout
        }
    }

    /// The folder that holds the labels: this one, or the one in it that Ultralytics names `labels`; nil if there are none.
    static func find(_ folder: URL) -> URL? {
        for place in [folder, folder.appending(path: "labels")] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
            // Lists of classes may lie beside labels.
            let isMeant = names.lazy.filter(isLabel).prefix(mostTried).contains { name in
                let head = BoundedFile.head(of: place.appending(path: name), count: headBytes) ?? []
                return ByteLines(head).first { _ in true }.flatMap { layout(of: numbers($0.text)) } != nil
            }
            if isMeant { return place }
        }
        return nil
    }

    private static let mostTried = 16
    /// Longer than a line of 136 joints.
    private static let headBytes = 1 << 14

    private static func isLabel(_ name: String) -> Bool { name.hasSuffix(".txt") && !name.hasPrefix(".") }

    private static func numbers(_ line: some Collection<UInt8>) -> [Float] {
        let cells = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let numbers = cells.compactMap { Float($0) }
        return numbers.count == cells.count ? numbers : []
    }

    private static func layout(of numbers: [Float]) -> Layout? {
        guard let first = numbers.first, first >= 0, first == first.rounded() else { return nil }
        return Layout(numbers.count)
    }

    /// Reads the labels of a recording; throws `unreadableInput` for a malformed line or a change of joints.
    static func read(_ folder: URL, _ limits: PoseFileLimits) throws(KinemaError) -> PoseTable {
        var table: PoseTable?
        var (known, count) = (0, 0)
        try FrameFiles.forEach(in: folder, limits, isLabel) { (number, file, bytes) throws(KinemaError) in
            var isNew = true
            for (line, text) in ByteLines(bytes) {
                let numbers = numbers(text)
                guard let layout = layout(of: numbers), table == nil || known == layout.order.count * layout.each else {
                    throw KinemaError(
                        .unreadableInput,
                        "line \(line) is not class, box and joints of a person, as many as in the others",
                        file: file.path)
                }
                known = layout.order.count * layout.each
                if table == nil {
                    table = PoseTable(
                        layout.order.keys, .pixels, order: layout.order, hasRawThird: true, limits: limits,
                        file: folder.path)
                }
                if isNew {
                    try table?.append(PoseTable.Frame(number: number))
                    count += 1
                }
                isNew = false
                let id = layout.rest == 2 ? numbers.last.flatMap { Int(exactly: $0) } : nil
                try table?.append(points(numbers, layout), id: id, to: count - 1)
            }
        }
        guard let table else { throw KinemaError(.unreadableInput, "contains no labels of people", file: folder.path) }
        return table
    }

    private static func points(_ numbers: [Float], _ layout: Layout) -> [SIMD3<Float>] {
        (0..<layout.order.count).map { joint in
            let start = boxNumbers + joint * layout.each
            return SIMD3(numbers[start], numbers[start + 1], layout.each == 2 ? 1 : numbers[start + 2])
        }
    }
}
