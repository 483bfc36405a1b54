package import Foundation
import KinemaCore
import NIOHTTP1

/// The uploads that are there now.
package actor UploadStore {
    private struct Entry {
        var upload: StudioUpload
        var lastUse: Date
        var isWhole = false
    }

    private let limits: StudioLimits
    private let parent: URL
    private let open: @Sendable (URL) throws -> FileHandle
    private var folder: PrivateFolder?
    private var entries: [String: Entry] = [:]

    /// A store below a folder for temporary files; nothing is made there before the first upload, and what a studio left
    /// there that was killed is taken away.
    package init(limits: StudioLimits, in parent: URL = FileManager.default.temporaryDirectory) {
        self.init(limits: limits, in: parent) { try UploadStore.create($0) }
    }

    /// A store that opens its files in a way of its own.
    init(limits: StudioLimits, in parent: URL, open: @escaping @Sendable (URL) throws -> FileHandle) {
        self.limits = limits
        self.parent = parent
        self.open = open
        PrivateFolder.removeLeftovers(in: parent)
    }

    /// Finds an upload, which counts as using it; nil when there is none.
    package func upload(_ id: String) -> StudioUpload? {
        guard let entry = entries[id], entry.isWhole else { return nil }
        entries[id]?.lastUse = Date()
        return entry.upload
    }

    /// Begins an upload: makes its file, which the caller writes.
    func begin(name: String) throws -> (upload: StudioUpload, file: FileHandle) {
        guard entries.count < limits.uploads else {
            throw HTTPError(
                .tooManyRequests, "too-many-uploads", "The studio keeps no more uploads; delete one first.",
                closes: true)
        }
        do {
            let folder = try self.folder ?? PrivateFolder(in: parent)
            self.folder = folder
            let id = RandomID.make()
            let upload = StudioUpload(
                id: id, name: StudioUpload.displayName(name), folder: folder.url.appending(path: id))
            try FileManager.default.createDirectory(
                at: upload.folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            let file = try open(upload.video)
            entries[id] = Entry(upload: upload, lastUse: Date())
            return (upload, file)
        } catch {
            throw HTTPError.diskFull
        }
    }

    /// The upload came whole.
    func complete(_ upload: StudioUpload) {
        entries[upload.id]?.isWhole = true
        entries[upload.id]?.lastUse = Date()
    }

    /// Removes an upload with all that was made of it; false when there is none.
    @discardableResult
    package func remove(_ id: String) -> Bool {
        guard let entry = entries.removeValue(forKey: id) else { return false }
        try? FileManager.default.removeItem(at: entry.upload.folder)
        return true
    }

    /// Removes uploads that were not used or written for a while; one that is still coming in has a timeout of its own.
    func removeIdle() {
        let limit = Date(timeIntervalSinceNow: -limits.uploadIdleTimeout.seconds)
        for (id, entry) in entries where entry.isWhole {
            if max(entry.lastUse, entry.upload.lastWrite ?? .distantPast) < limit { remove(id) }
        }
    }

    /// Removes them all, with the folder.
    package func removeAll() {
        for id in Array(entries.keys) { remove(id) }
        folder = nil
    }

    private static func create(_ url: URL) throws -> FileHandle {
        guard
            FileManager.default.createFile(
                atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        return try FileHandle(forWritingTo: url)
    }
}

extension HTTPError {
    static let diskFull = HTTPError(
        .insufficientStorage, "disk-full", "There is no room on the studio's disk for this.", closes: true)
}

extension Duration {
    /// In seconds.
    var seconds: Double { self / .seconds(1) }
}

/// A video that a client uploaded, and where what is made of it is put.
package struct StudioUpload: Sendable, Equatable {
    /// Nobody can guess it.
    package let id: String
    /// What the client called it; for people, never a path.
    package let name: String
    /// The folder of this upload alone.
    let folder: URL

    /// The video.
    package var video: URL { folder.appending(path: "video") }
    /// The overlay video, once made.
    package var overlay: URL { folder.appending(path: "overlay.mp4") }
    /// The poses in Kinema's JSON Lines, once found.
    package var poses: URL { folder.appending(path: "poses.jsonl") }

    /// When something was last written here.
    var lastWrite: Date? {
        [video, overlay, poses].compactMap {
            try? FileManager.default.attributesOfItem(atPath: $0.path)[.modificationDate] as? Date
        }.max()
    }

    /// A name as it is shown: the last part of a path, without what could move a cursor.
    static func displayName(_ text: String) -> String {
        let last = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        let plain = last.unicodeScalars.filter { !$0.properties.isControlOrFormat }
        let name = PlainText.prefix(
            String(String.UnicodeScalarView(plain)).trimmingCharacters(in: .whitespaces), bytes: PlainText.nameBytes)
        return name.isEmpty || name == "." || name == ".." ? "video" : name
    }
}

extension Unicode.Scalar.Properties {
    /// Whether it shows nothing, or turns what is around it.
    fileprivate var isControlOrFormat: Bool {
        switch generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

/// A folder that only this user can enter and only this process uses; removed when it is released.
final class PrivateFolder: Sendable {
    let url: URL
    /// The folder itself, locked as long as the process lives: the system lets go of it however that ends.
    private let lock: FileHandle

    private static let prefix = "kinema-studio-"
    /// Another studio that starts at the same moment may take a folder for a leftover before it is locked.
    private static let attempts = 3

    /// Makes the folder.
    init(in parent: URL) throws {
        for _ in 0..<Self.attempts {
            let url = parent.appending(path: Self.prefix + RandomID.make())
            guard mkdir(url.path, 0o700) == 0 else { break }
            if let lock = Self.lock(url) {
                (self.url, self.lock) = (url, lock)
                return
            }
        }
        throw KinemaError(.unwritableOutput, "no folder for uploads can be made here", file: parent.path)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
        try? lock.close()
    }

    /// Takes away what studios of this user left behind that were killed; folders of other names are not theirs.
    static func removeLeftovers(in parent: URL) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        where name.hasPrefix(prefix) && RandomID.isOne(name.dropFirst(prefix.count)) {
            let folder = parent.appending(path: name)
            guard let lock = lock(folder) else { continue }
            try? FileManager.default.removeItem(at: folder)
            try? lock.close()
        }
    }

    /// Locks a folder of this user; nil for somebody else's, for a link, and while another process has it.
    private static func lock(_ folder: URL) -> FileHandle? {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        // Without a name any more, it was taken away meanwhile.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
            status.st_nlink > 0
        else { return nil }
        return handle
    }
}

/// Names that cannot be guessed.
enum RandomID {
    /// 128 bits of the system's random numbers, in 32 hexadecimal digits.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Whether a name is one of these.
    static func isOne(_ name: some StringProtocol) -> Bool {
        name.utf8.count == 32 && name.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    }
}
