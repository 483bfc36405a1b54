import ArgumentParser
import Foundation

extension ParsableArguments {
    /// Throws if the value of an option is outside a range; the message names the range and the unit.
    func require<Value: Comparable>(
        _ value: Value?, in range: ClosedRange<Value>, _ option: String, _ unit: String? = nil
    ) throws {
        guard let value, !range.contains(value) else { return }
        let ends = [range.lowerBound, range.upperBound].map { "\($0)".replacing(/\.0$/, with: "") }
        throw ValidationError("\(option) must be \(ends[0]) to \(ends[1])" + (unit.map { " " + $0 } ?? ""))
    }

    /// The names of the options that are given.
    func given(_ options: KeyValuePairs<String, Bool>) -> [String] { options.filter(\.value).map(\.key) }

    /// Throws if the name of an option's file has none of these endings.
    func requireEnding(_ name: String?, _ endings: [String], _ option: String) throws {
        guard let name, !endings.contains(where: { name.lowercased().hasSuffix($0) }) else { return }
        let list = [endings.dropLast().joined(separator: ", "), endings.last ?? ""].filter { !$0.isEmpty }
        throw ValidationError("\(option) needs a file name that ends in \(list.joined(separator: " or "))")
    }
}
