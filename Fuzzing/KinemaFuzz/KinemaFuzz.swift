import Foundation

/// Feeds mutated bytes to one parser, chosen by `KINEMA_FUZZ`; the other arguments are libFuzzer's.
///
///     KinemaFuzz list             lists the harnesses, each with its longest input
///     KinemaFuzz seeds FOLDER     writes each harness's seeds into a folder of its name
///     KinemaFuzz cycles [COUNT]   opens and closes readers, sessions and canvases, and prints what the process holds
///     KINEMA_FUZZ=NAME KinemaFuzz [LIBFUZZER OPTION …] CORPUS …
@main
enum KinemaFuzz {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        switch words.first {
        case "list": for harness in Harness.all { print(harness.name, harness.maximumLength) }
        case "seeds": try writeSeeds(to: URL(filePath: words.dropFirst().first ?? "Seeds"))
        case "cycles": exit(try await Cycles.run(words.dropFirst().first.flatMap { Int($0) } ?? 10_000))
        default:
            guard Harness.chosen != nil else {
                FileHandle.standardError.write(Data("KINEMA_FUZZ names no harness; see KinemaFuzz list\n".utf8))
                exit(64)
            }
            exit(LibFuzzer.run())
        }
    }

    private static func writeSeeds(to folder: URL) throws {
        for harness in Harness.all {
            let place = folder.appending(path: harness.name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for (index, seed) in try harness.seeds().enumerated() {
                let number = index < 9 ? "0\(index + 1)" : "\(index + 1)"
                try Data(seed.prefix(harness.maximumLength)).write(to: place.appending(path: number))
            }
        }
    }
}
