import Foundation
import Kinema

/// Installs a model into its folder: fetches or copies each file, checks it and moves it into place, description last.
struct ModelInstaller {
    let model: FetchableModel
    let interruption: Interruption

    private static let maximumCandidates = 10_000

    func install(from source: URL?) throws -> URL {
        if let source, !FileManager.default.fileExists(atPath: source.path) {
            let reason = BoundedFile.absence(of: source.path, kind: "file or folder")
            throw KinemaError(.unreadableInput, reason, file: source.path)
        }
        let folder = try place()
        // Removes nothing but an empty folder.
        defer { rmdir(folder.path) }
        for file in model.files where !isSound(folder.appending(path: file.name), file) {
            let part = folder.appending(path: ".\(file.name).part")
            if let source { try copy(file, from: source, to: part) } else { try download(file, to: part) }
            guard isSound(part, file) else {
                try? FileManager.default.removeItem(at: part)
                throw KinemaError(
                    .unreadableInput,
                    "\(file.name) is not the published file (SHA-256 differs) and was removed; try again",
                    file: source?.path ?? file.address)
            }
            guard rename(part.path, folder.appending(path: file.name).path) == 0 else { throw unwritable(folder) }
        }
        let encoder = JSONEncoder.ordered
        encoder.outputFormatting.insert(.prettyPrinted)
        let description = folder.appending(path: ChosenModel.descriptionFile)
        do {
            try encoder.encode(model.manifest).write(to: description, options: .atomic)
        } catch {
            throw unwritable(folder)
        }
        return folder
    }

    /// The model's folder in Kinema's home, created if needed.
    private func place() throws -> URL {
        // A package's own files do not change.
        let homes = KinemaHome.homes.filter { $0.folder != KinemaHome.packaged }
        if let problem = homes.lazy.compactMap(\.problem).first { throw KinemaError(.missingComponent, problem) }
        guard let home = homes.first?.folder ?? KinemaHome.candidates.last else {
            throw KinemaError(.missingComponent, "no folder for models; set KINEMA_HOME")
        }
        let folder = home.appending(path: "models/\(model.manifest.name)", directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw unwritable(folder)
        }
        return folder
    }

    private func unwritable(_ folder: URL) -> KinemaError {
        KinemaError(.unwritableOutput, "cannot be written; set KINEMA_HOME to a folder that you own", file: folder.path)
    }

    private func isSound(_ url: URL, _ file: FetchableModel.File) -> Bool {
        guard BoundedFile.size(of: url) == file.byteCount,
            let bytes = try? BoundedFile.read(url, limit: file.byteCount)
        else { return false }
        return ContentDigest.sha256(of: bytes) == file.sha256
    }

    // MARK: - From a copy

    private func copy(_ file: FetchableModel.File, from source: URL, to part: URL) throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: source.path)) ?? []
        let files = [source] + names.sorted().prefix(Self.maximumCandidates).map { source.appending(path: $0) }
        guard let same = files.first(where: { isSound($0, file) }) else {
            throw KinemaError(
                .unreadableInput,
                "contains no \(file.name) of \(model.manifest.name) (\(file.byteCount) bytes, SHA-256 \(file.sha256)); fetch "
                    + "it from \(file.address)", file: source.path)
        }
        do {
            try Data(BoundedFile.read(same, limit: file.byteCount)).write(to: part)
        } catch {
            throw unwritable(part.deletingLastPathComponent())
        }
    }

    // MARK: - From the network

    /// Downloads with curl, which resumes an earlier download.
    private func download(_ file: FetchableModel.File, to part: URL) throws {
        if let had = BoundedFile.size(of: part), had >= file.byteCount { try? FileManager.default.removeItem(at: part) }
        let isTerminal = isatty(STDERR_FILENO) == 1
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "curl", "--fail", "--location", "--proto", "=https", "--proto-redir", "=https", "--max-redirs", "5",
                "--max-filesize", "\(file.byteCount)", "--connect-timeout", "20", "--speed-limit", "1000",
                "--speed-time", "60",
                "--retry", "2", "--continue-at", "-", "--output", part.path,
            ] + (isTerminal ? ["--progress-bar"] : ["--silent", "--show-error"]) + ["--", file.address]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let messages = Pipe()
        if !isTerminal { process.standardError = messages }
        do {
            try process.run()
        } catch {
            throw KinemaError(.missingComponent, "curl cannot be started; install it, or use --from")
        }
        let output = isTerminal ? Data() : messages.fileHandleForReading.readDataToEndOfFile().prefix(2000)
        process.waitUntilExit()
        if interruption.isRaised { throw CancellationError() }
        // env exits with 127 if the program does not exist.
        if process.terminationStatus == 127 {
            throw KinemaError(.missingComponent, "curl is not installed; install it, or fetch the file and use --from")
        }
        guard process.terminationStatus == 0 else {
            let reason = String(decoding: output, as: UTF8.self).split(separator: "\n").last.map {
                PlainText.oneLine(String($0))
            }
            throw KinemaError(
                .missingComponent,
                "cannot be fetched (\(reason ?? "curl \(process.terminationStatus)")); the partial download is kept: try again, or "
                    + "fetch it elsewhere and use --from", file: file.address)
        }
    }
}
