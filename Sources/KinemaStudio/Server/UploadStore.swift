package import Foundation
import NIOHTTP1

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

    /// A store in a folder for temporary files; removes the leftovers of killed studios.
    package init(limits: StudioLimits, in parent: URL = FileManager.default.temporaryDirectory) {
        self.init(limits: limits, in: parent) { try UploadStore.create($0) }
    }

    init(limits: StudioLimits, in parent: URL, open: @escaping @Sendable (URL) throws -> FileHandle) {
        (self.limits, self.parent, self.open) = (limits, parent, open)
        PrivateFolder.removeLeftovers(in: parent)
    }

    /// Finds a complete upload, which counts as using it.
    package func upload(_ id: String) -> StudioUpload? {
        guard let entry = entries[id], entry.isWhole else { return nil }
        entries[id]?.lastUse = Date()
        return entry.upload
    }

    func begin(name: String) throws -> (upload: StudioUpload, file: FileHandle) {
        guard entries.count < limits.uploads else {
            throw HTTPError(
                .tooManyRequests, "too-many-uploads", "The studio cannot keep more uploads; delete one first.",
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

    func complete(_ upload: StudioUpload) {
        entries[upload.id]?.isWhole = true
        entries[upload.id]?.lastUse = Date()
    }

    @discardableResult
    package func remove(_ id: String) -> Bool {
        guard let entry = entries.removeValue(forKey: id) else { return false }
        try? FileManager.default.removeItem(at: entry.upload.folder)
        return true
    }

    /// Removes complete uploads that were not used or written for a while.
    func removeIdle() {
        let limit = Date(timeIntervalSinceNow: -limits.uploadIdleTimeout.seconds)
        for (id, entry) in entries where entry.isWhole {
            if max(entry.lastUse, entry.upload.lastWrite ?? .distantPast) < limit { remove(id) }
        }
    }

    package func removeAll() {
        for id in Array(entries.keys) { remove(id) }
        folder = nil
    }

    /// Makes or replaces a file that only its owner may read.
    static func create(_ url: URL) throws -> FileHandle {
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
    var seconds: Double { self / .seconds(1) }
}
