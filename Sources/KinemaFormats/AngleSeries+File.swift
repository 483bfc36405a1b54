package import KinemaMeasuring
package import Foundation
package import KinemaCore

extension AngleSeries {
    /// Reads the JSON of `kinema measure`, markers (TRC), or a table with Sports2D's names (MOT, CSV).
    ///
    /// `view` is the plane of the markers' angles. Throws `unreadableInput` for a damaged file, one without angles, and
    /// one beyond the limits of pose files or of a measured track.
    package init(contentsOf url: URL, view: MeasureView) throws(KinemaError) {
        var limits = PoseFileLimits()
        limits.frames = MeasuredTrack.longest
        let packed = try BoundedFile.read(url, limit: limits.bytes, excess: "split it")
        let bytes = try PackedFile(packed, limits, file: url.path).bytes
        func broken(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: url.path) }
        if bytes.starts(with: "PathFileType".utf8) {
            let table = try PoseTable.markers(bytes, limits, file: url.path).finished(PoseSequenceReader())
            let markers = table.frames.map { frame in
                let joints = frame.people.first.map { table.pose(of: $0).keypoints3D } ?? [:]
                return (frame.time ?? 0, joints.mapValues { SIMD3<Double>($0.position) })
            }
            guard let found = AngleSeries(markers, view: view) else { throw broken("has fewer than two frames") }
            self = found
        } else if bytes.first(where: { ![9, 10, 13, 32].contains($0) }) == UInt8(ascii: "{") {
            guard let found = try? JSONDecoder().decode(Stored.self, from: Data(bytes)),
                found.quantities.values.allSatisfy({
                    Set([$0.values.count, $0.confidence.count, found.times.count]).count == 1
                        && ($0.unit != "deg" || $0.values.allSatisfy { abs($0 ?? 0) <= Self.largest })
                })
            else { throw broken("is not the JSON of kinema measure; write it with kinema measure -o NAME.json") }
            // Filled values have no confidence and do not count as measurements.
            let angles = found.quantities.filter { $0.value.unit == "deg" }.mapValues { quantity in
                zip(quantity.values, quantity.confidence).map { $1 > 0 ? $0 : nil }
            }
            self.init(times: found.times, angles: angles, view: found.view)
        } else {
            self = try Self.table(bytes, limits, broken)
        }
        guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else { throw broken("has times that go back") }
    }

    /// What is compared of a measurement; the findings beside it differ between versions.
    private struct Stored: Decodable {
        var times: [Double]
        var quantities: [String: MeasuredQuantity]
        var view: MeasureView
    }

    /// Degrees, a hundred full turns; larger numbers are not angles.
    private static let largest = 36_000.0

    /// Reads the rows after the line of names, the first with a time.
    private static func table(
        _ bytes: [UInt8], _ limits: PoseFileLimits, _ broken: (String) -> KinemaError
    ) throws(KinemaError) -> AngleSeries {
        var (others, format, degrees) = (PoseColumns.Others(), TableFormat([]), 1.0)
        var (times, columns, angles) = ([Double](), [String: Int](), [String: [Double?]]())
        for (number, line) in ByteLines(bytes) {
            guard line.count <= limits.lineBytes else { throw broken("line \(number) is too long") }
            guard let time = others.time else {
                format = TableFormat(line)
                let cells = format.cells(line)
                if cells.first?.lowercased() == "indegrees=no" { degrees = 180 / .pi }
                for (column, name) in cells.enumerated() { others.set(name, column, isAlone: true) }
                let plain = cells.map { $0.lowercased().replacing("_", with: " ") }
                for name in names { columns[name] = plain.firstIndex(of: name.lowercased()) }
                continue
            }
            let cells = format.cells(line)
            if cells.allSatisfy(\.isEmpty) { continue }
            let values = cells.map { format.number($0) ?? .infinity }
            guard times.count < limits.frames else { throw broken("has more than \(limits.frames) rows; split it") }
            guard time < values.count, values[time].isFinite,
                columns.values.allSatisfy({ $0 < values.count && !(abs(values[$0]) > largest) })
            else { throw broken("line \(number) is not a time and angles") }
            times.append(values[time])
            for (name, column) in columns {
                angles[name, default: []].append(values[column].isNaN ? nil : values[column] * degrees)
            }
        }
        guard !angles.isEmpty else { throw broken("has no time and angles with Sports2D's names, such as Right knee") }
        // Times that go back are refused where they are used.
        let isIncreasing = zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
        switch isIncreasing ? others.times?.reading(times) : nil {
        case .times(let unit, _): times = times.map { $0 / unit.rawValue }
        case .impossible(let reason): throw broken(reason)
        // A table of angles has no other times than these.
        case .frames, nil: break
        }
        return AngleSeries(times: times, angles: angles)
    }
}
