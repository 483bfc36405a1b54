import Foundation
import KinemaCore

/// A table in JSON, as `to_json` of pandas writes it in each of its orientations, and Polars: rewritten as a table of cells.
struct JSONTable {
    private var names: [String] = []
    /// The names of the rows, from the index of pandas.
    private var labels: [String] = []
    /// The rows as lines of cells.
    private var rows: [String] = []
    private var width = 0
    private var columns: [String: [String: String]] = [:]

    /// The most numbers of a joint: x, y, z, visibility and presence.
    private static let mostPerJoint = 5

    /// Whether these are the columns of a table with joints.
    private static func areColumns(_ names: some Sequence<String>) -> Bool {
        PoseColumns(names.sorted()) != nil || LongColumns(names.sorted()) != nil
    }

    /// Whether a text is a row with the columns of joints.
    static func isRow(_ text: some Collection<UInt8>) -> Bool { JSONValue(text).map(isRow) ?? false }

    private static func isRow(_ value: JSONValue) -> Bool {
        guard let members = value.members, members.values.allSatisfy({ $0.cell != nil }) else { return false }
        return areColumns(members.keys)
    }

    /// The lines of the table that a document, or lines with a row each, hold; nil if they hold none.
    static func text(
        _ bytes: [UInt8], isLines: Bool, _ limits: PoseFileLimits, file: String
    ) throws(KinemaError) -> [UInt8]? {
        func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: file) }
        var table = JSONTable()
        if isLines {
            var lines = ByteLines(bytes)
            while let (number, line) = lines.next() {
                guard try table.add(line, "", isMember: false, limits, file) else {
                    if number == 1 { return nil }
                    throw broken("line \(number) is not a row as the first one is, or is cut short")
                }
            }
        } else {
            var elements = JSONElements(bytes)
            do {
                while let (member, element) = try elements.next() {
                    if try table.add(element, member, isMember: elements.isMember, limits, file) { continue }
                    // What describes a table, as the schema of pandas, is none of its cells.
                    if elements.isMember { continue }
                    return nil
                }
            } catch let error as KinemaError {
                throw error
            } catch {
                return nil
            }
        }
        return table.lines
    }

    /// Adds a row, a column or a cell; returns false for anything else.
    private mutating func add(
        _ text: ArraySlice<UInt8>, _ member: String, isMember: Bool, _ limits: PoseFileLimits, _ file: String
    ) throws(KinemaError) -> Bool {
        guard text.count <= limits.lineBytes, rows.count < limits.frames else {
            throw KinemaError(.unreadableInput, "has a table that is too long; split it", file: file)
        }
        let isColumn = isMember && (!columns.isEmpty || rows.isEmpty && Self.areColumn(member))
        if isColumn {
            guard let cells = try? JSONDecoder().decode([String: JSONValue].self, from: Data(text)) else {
                return false
            }
            columns[Self.plain(member)] = cells.compactMapValues(\.cell)
            return cells.values.allSatisfy { $0.cell != nil }
        }
        guard let value = JSONValue(text) else { return false }
        if let cell = value.cell {
            switch member {
            case "columns": names.append(Self.plain(cell))
            case "index": labels.append(cell)
            default:
                let name = Self.plain(member)
                columns[name, default: [:]]["\(columns[name]?.count ?? 0)"] = cell
            }
            return true
        }
        if let cells = value.elements?.map(\.cell) {
            // A list of a joint's numbers is no row.
            let row = cells.compactMap(\.self)
            guard row.count == cells.count else { return false }
            if member == "columns" {
                names.append(row.suffix(2).joined(separator: "_"))
                return true
            }
            if width == 0 { width = names.isEmpty ? row.count : names.count }
            guard row.count == width, !names.isEmpty || row.count > Self.mostPerJoint else { return false }
            rows.append(row.joined(separator: ","))
            return true
        }
        guard let members = value.members, members.values.allSatisfy({ $0.cell != nil }) else { return false }
        if names.isEmpty {
            guard Self.areColumns(members.keys) else { return false }
            names = members.keys.sorted()
        }
        if isMember { labels.append(member) }
        rows.append(names.map { members[$0]?.cell ?? "" }.joined(separator: ","))
        return true
    }

    /// The name of a column in one cell; of several levels, which pandas writes as a tuple, the last two.
    private static func plain(_ name: String) -> String {
        let parts = name.split(whereSeparator: { ",'()\"".contains($0) }).filter { $0 != " " }
        return name.hasPrefix("(") ? parts.suffix(2).joined(separator: "_") : parts.joined(separator: " ")
    }

    /// Whether a name is that of a column.
    private static func areColumn(_ name: String) -> Bool {
        var others = PoseColumns.Others()
        let name = plain(name)
        others.set(name, 0)
        return PoseColumns.joint(name) != nil || others.isAny || LongColumns.isColumn(name)
    }

    /// The table as text; nil if it has no columns of joints, and no names at all for none of them.
    private var lines: [UInt8]? {
        var (names, labels, rows) = (names, labels, rows)
        if !columns.isEmpty {
            guard rows.isEmpty else { return nil }
            (names, labels) = (columns.keys.sorted(), [])
            let longest = columns.values.max { $0.count < $1.count } ?? [:]
            labels = longest.keys.sorted { one, other in
                guard let first = Double(one), let second = Double(other) else { return one < other }
                return first < second
            }
            rows = labels.map { label in names.map { columns[$0]?[label] ?? "" }.joined(separator: ",") }
        }
        guard !rows.isEmpty, names.isEmpty || Self.areColumns(names) else { return nil }
        // An index that does not merely count the rows has their times.
        let counts = labels.indices.allSatisfy { Double(labels[$0]) == Double($0) }
        var others = PoseColumns.Others()
        for name in names { others.set(name, 0) }
        let hasTimes =
            labels.count == rows.count && !counts && !names.isEmpty && others.frame == nil && others.time == nil
        var text = names.isEmpty ? "" : (hasTimes ? "time," : "") + names.joined(separator: ",") + "\n"
        for (index, row) in rows.enumerated() {
            text += (hasTimes ? labels[index] + "," : "") + row + "\n"
        }
        return Array(text.utf8)
    }
}
