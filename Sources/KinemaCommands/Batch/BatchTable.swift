import ArgumentParser
import Foundation
import Kinema

/// All videos of a batch in one table, a row per video: its status, and the keys of its result.
struct BatchTable {
    enum Kind: String {
        /// Values other than text and numbers are JSON in their cells.
        case csv
        /// An object per line, with the result unchanged.
        case jsonl
    }

    let url: URL
    private let kind: Kind

    /// The columns before those of the results, which have no keys of these names.
    private static let columns = ["video", "sha256", "status", "seconds", "error"]
    /// The largest result that goes into a row, in bytes.
    private static let largestResult = 64 << 20

    /// Takes a file's name; throws for one that ends in neither .csv nor .jsonl.
    init(_ path: String) throws {
        url = URL(filePath: path)
        let ending = url.pathExtension.lowercased()
        guard ending != "parquet" else {
            throw ValidationError("--table writes .csv and .jsonl; for Parquet, use script/ray")
        }
        guard let kind = Kind(rawValue: ending) else {
            throw ValidationError("--table needs a file name that ends in .csv or .jsonl")
        }
        self.kind = kind
    }

    /// Throws if the table cannot be written, or would overwrite a video or a result.
    func check(_ plan: BatchPlan, in folder: URL) throws {
        try OutputPlace.check(url.path)
        let place = url.standardizedFileURL.path
        let kept = [BatchManifest.name] + plan.items.map(\.result)
        let isKept = kept.contains { folder.appending(path: $0).standardizedFileURL.path == place }
        if isKept || plan.items.contains(where: { sameFile(URL(filePath: $0.input.path), url) }) {
            throw KinemaError(.invalidArgument, "the table would overwrite a video or a result", file: url.path)
        }
    }

    /// Writes the rows of a plan's videos, completely or not at all; reads the results one at a time.
    func write(_ plan: BatchPlan, _ manifest: BatchManifest, in folder: URL) throws {
        let entries = plan.items.compactMap { manifest.entries[$0.input.source] }
        try ResultFileHandle.write(to: url) { file in
            switch kind {
            case .jsonl: for entry in entries { try file.write(Self.line(entry, in: folder)) }
            case .csv: try writeCells(entries, in: folder, to: file)
            }
        }
    }

    // MARK: JSON Lines

    private static func line(_ entry: BatchManifest.Entry, in folder: URL) throws -> [UInt8] {
        let result = try result(entry, in: folder)
        var json = JSONText()
        json.object { json in
            for (name, value) in zip(columns, cells(entry)) where !value.isEmpty {
                json.key(name)
                if name == "seconds" { json.number(entry.seconds, decimals: 3) } else { json.string(value) }
            }
            guard let result else { return }
            json.field("result", raw: result.filter { $0 != UInt8(ascii: "\n") })
        }
        json.newline()
        return json.bytes
    }

    // MARK: CSV

    /// Reads the results twice, first their keys and then their values, so that only one is in memory.
    private func writeCells(_ entries: [BatchManifest.Entry], in folder: URL, to file: ResultFileHandle) throws {
        var keys: Set<String> = []
        for entry in entries { keys.formUnion(try Self.members(entry, in: folder).keys) }
        let names = keys.sorted()
        func row(_ cells: [String]) -> [UInt8] { Array(DelimitedText.table([cells]).utf8) }
        try file.write(row(Self.columns + names))
        for entry in entries {
            let members = try Self.members(entry, in: folder)
            try file.write(row(Self.cells(entry) + names.map { members[$0].map(Self.cell) ?? "" }))
        }
    }

    private static func cells(_ entry: BatchManifest.Entry) -> [String] {
        [
            entry.source, entry.sha256 ?? "", entry.status.rawValue, String(format: "%.3f", entry.seconds),
            entry.error ?? "",
        ]
    }

    private static func members(_ entry: BatchManifest.Entry, in folder: URL) throws -> [String: JSONValue] {
        guard let result = try result(entry, in: folder) else { return [:] }
        return (try? JSONDecoder().decode([String: JSONValue].self, from: Data(result))) ?? [:]
    }

    private static func cell(_ member: JSONValue) -> String {
        if case .text(let text) = member { return text }
        return String(decoding: (try? JSONEncoder.ordered.encode(member)) ?? Data(), as: UTF8.self)
    }

    private static func result(_ entry: BatchManifest.Entry, in folder: URL) throws -> [UInt8]? {
        guard let result = entry.result else { return nil }
        return try BoundedFile.read(
            folder.appending(path: result), limit: largestResult, remedy: "run the batch again with --resume")
    }
}
