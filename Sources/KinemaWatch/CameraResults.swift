package import Foundation
package import KinemaCore
import Synchronization

package final class CameraResults: Sendable {
    private let name: String
    private let folder: URL
    /// The file of the day.
    private let file: Mutex<LineFile>
    private let onLine: @Sendable ([UInt8]) -> Void
    private let onNotice: @Sendable (String) -> Void
    private let onLoss: @Sendable (KinemaError) -> Void

    /// Makes the camera's folder; throws `unwritableOutput` if that fails. Calls `onNotice` when the file was removed or
    /// replaced and is made again, and `onLoss` for a line that cannot be written.
    package init(
        _ name: String, in folder: URL, onLine: @escaping @Sendable ([UInt8]) -> Void,
        onNotice: @escaping @Sendable (String) -> Void = { _ in },
        onLoss: @escaping @Sendable (KinemaError) -> Void = { _ in }
    ) throws {
        (self.name, self.onLine, self.onNotice, self.onLoss) = (name, onLine, onNotice, onLoss)
        self.folder = folder.appending(path: name)
        file = Mutex(LineFile(self.folder))
        do {
            try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        } catch {
            throw KinemaError.unwritable(self.folder.path, error)
        }
    }

    /// Takes lines of JSON, as the command writes them.
    package func write(_ bytes: [UInt8]) throws {
        for line in bytes.split(separator: UInt8(ascii: "\n")) { try append(Array(line)) }
    }

    private func append(_ event: [UInt8]) throws {
        let now = Date.now.formatted(Self.style)
        var text = Array("{\"camera\":\"\(name)\",\"at\":\"\(now)\",\"event\":".utf8)
        text += event + Array("}\n".utf8)
        try file.withLock { file in
            let url = folder.appending(path: "\(now.prefix(10)).jsonl")
            if file.url != url { file = LineFile(url) }
            do throws(KinemaError) {
                if try file.append(text) {
                    onNotice("kinema: \(name): \(url.path) was removed or replaced; it is made again")
                }
            } catch {
                onLoss(error)
                throw error
            }
        }
        onLine(text)
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
