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
        var columns: [String: Int] = [:]
        var markers: [(key: JointKey, columns: [Int])] = []
        for (column, name) in head[3].enumerated() {
            let bare = name.split(separator: ":").last.map { $0.uppercased() } ?? ""
            if columns[bare] == nil { columns[bare] = column }
            if let key = JointNames.joint(name) { markers.append((key, [column])) }
        }
        for (key, names) in JointNames.between where !markers.contains(where: { $0.key == key }) {
            let found = names.compactMap { columns[$0] }
            if !found.isEmpty { markers.append((key, found)) }
        }
        let pelvis = markers.contains { $0.key == .leftHip } ? nil : PelvisMarkers(columns)
        let keys = markers.map(\.key) + (pelvis == nil ? [] : [.leftHip, .rightHip])
        guard markers.count >= 3 else { throw broken("has no markers of joints, such as RKnee and LHip") }
        var table = PoseTable(keys, .space, limits: limits, file: file)
        var standing = StandingAxis(keys)
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
            func place(_ columns: [Int]) -> SIMD3<Float> {
                let sum = columns.reduce(into: SIMD3<Float>.zero) { sum, column in
                    for axis in 0..<3 {
                        sum[axis] += row.indices.contains(column + axis) ? Float(row[column + axis]) ?? .nan : .nan
                    }
                }
                return sum * unit / Float(columns.count)
            }
            let places = markers.map { place($0.columns) } + (pelvis?.hips(place) ?? [])
            standing.add(places, hasDepth: true)
            let points = places.map { SIMD3($0.x, $0.y, $0.x.isFinite && $0.y.isFinite && $0.z.isFinite ? 1 : 0) }
            try table.append(points, in: places, id: 1, to: table.frames.count - 1)
        }
        table.turn(standing.turn(hasDepth: true))
        return table
    }
}

/// The markers of a pelvis, from which its hips follow.
private struct PelvisMarkers {
    private let left, right: Int
    /// Those of the back: two, or one on the sacrum.
    private let back: [Int]

    /// Finds the markers of Plug-in Gait; nil without both of the front and one of the back.
    init?(_ columns: [String: Int]) {
        back = ["LPSI", "RPSI"].compactMap { columns[$0] } + ["SACR"].compactMap { columns[$0] }
        guard let left = columns["LASI"], let right = columns["RASI"], !back.isEmpty else { return nil }
        (self.left, self.right) = (left, right)
    }

    /// The left and the right hip joint: 14 % of the distance between the front markers inwards of each, 22 % back and 30 %
    /// down (Bell, Pedersen and Brand 1990, J Biomech 23).
    func hips(_ place: ([Int]) -> SIMD3<Float>) -> [SIMD3<Float>] {
        let (one, other) = (place([left]), place([right]))
        let middle = (one + other) / 2
        let across = other - one
        let width = (across * across).sum().squareRoot()
        var forwards = middle - place(back)
        forwards -= across * ((forwards * across).sum() / (width * width))
        forwards *= width / (forwards * forwards).sum().squareRoot()
        // Rightwards times forwards is upwards.
        let (a, b) = (across / width, forwards)
        let up = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        let base = middle - 0.22 * forwards - 0.3 * up
        return [base - 0.36 * across, base + 0.36 * across]
    }
}
