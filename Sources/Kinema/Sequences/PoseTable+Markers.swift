import Foundation
import KinemaCore

extension PoseTable {
    /// Reads motion-capture markers (TRC): metres, centimetres or millimetres, y up.
    static func markers(_ bytes: [UInt8], _ limits: PoseFileLimits, file: String) throws(KinemaError) -> PoseTable {
        func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: file) }
        func cells(_ line: ArraySlice<UInt8>) -> [String] {
            String(decoding: line, as: UTF8.self).split(separator: "\t", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        var lines = ByteLines(bytes)
        var head: [[String]] = []
        while head.count < 5, let (_, line) = lines.next() {
            guard line.count <= limits.lineBytes else { throw broken("line \(head.count + 1) is too long") }
            head.append(cells(line))
        }
        guard head.count == 5, head[0].first?.hasPrefix("PathFileType") == true, head[3].count > 2 else {
            throw broken("is not a file of markers (.trc), or is cut short")
        }
        let settings = Dictionary(zip(head[1], head[2])) { first, _ in first }
        let units: [String: Float] = ["m": 1, "cm": 0.01, "mm": 0.001]
        guard let unit = units[settings["Units"] ?? ""] else {
            throw broken("has markers in \(settings["Units"] ?? "no unit"); m, cm and mm can be read")
        }
        let markers = head[3].enumerated().compactMap { column, name in
            JointNames.joint(name).map { (key: $0, column: column) }
        }
        guard markers.count >= 3 else { throw broken("has no markers of joints, such as RKnee and LHip") }
        var table = PoseTable(markers.map(\.key), .space, limits: limits, file: file)
        var standing = StandingAxis(markers.map(\.key))
        while let (number, line) = lines.next() {
            guard line.count <= limits.lineBytes else { throw broken("line \(number) is too long") }
            let row = cells(line)
            if row.allSatisfy(\.isEmpty) { continue }
            guard row.count > 2, let index = Int(row[0]), let time = Double(row[1]) else {
                throw broken("line \(number) does not begin with a frame and a time")
            }
            if let last = table.frames.last?.number, index <= last {
                throw broken("line \(number) goes back to frame \(index)")
            }
            try table.append(Frame(number: index, time: time))
            let places = markers.map { marker in
                let cells = (0..<3).map {
                    row.indices.contains(marker.column + $0) ? Float(row[marker.column + $0]) ?? .nan : .nan
                }
                return SIMD3(cells[0], cells[1], cells[2]) * unit
            }
            standing.add(places, hasDepth: true)
            let points = places.map { SIMD3($0.x, $0.y, $0.x.isFinite && $0.y.isFinite && $0.z.isFinite ? 1 : 0) }
            try table.append(points, in: places, id: 1, to: table.frames.count - 1)
        }
        table.turn(standing.turn(hasDepth: true))
        return table
    }
}
