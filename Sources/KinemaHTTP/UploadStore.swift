package import Foundation
import KinemaCore
import NIOHTTP1

/// An uploaded video and the files made from it.
package struct StudioUpload: Sendable, Equatable {
    package let id: String
    /// The client's name for it, never a path.
    package let name: String
    let folder: URL
    /// The names of the uploads that left to make room for it.
    package var displaced: [String] = []

    package var video: URL { folder.appending(path: "video") }
    package var overlay: URL { folder.appending(path: "overlay.mp4") }
    /// The video with the hidden parts removed, for the history.
    package var hidden: URL { folder.appending(path: "hidden.mp4") }
    package var poses: URL { folder.appending(path: "poses.jsonl") }

    var lastWrite: Date? {
        [video, overlay, poses].compactMap {
            try? FileManager.default.attributesOfItem(atPath: $0.path)[.modificationDate] as? Date
        }.max()
    }

    /// The last part of a path without invisible and control characters.
    static func displayName(_ text: String) -> String {
        let last = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        let plain = last.unicodeScalars.filter { !$0.properties.isControlOrFormat }
        let name = PlainText.prefix(
            String(String.UnicodeScalarView(plain)).trimmingCharacters(in: .whitespaces), bytes: PlainText.nameBytes)
        return name.isEmpty || name == "." || name == ".." ? "video" : name
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControlOrFormat: Bool {
        switch generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

package actor UploadStore {
    private struct Entry {
        var upload: StudioUpload
        var client: ClientAddress
        var lastUse = Date()
        var isWhole = false
        /// Seconds without use or result after which nobody works with an upload: a client that reads none for as long is
        /// disconnected (`writeTimeout`).
        static let rest = 10.0

        var isUnneeded: Bool {
            isWhole && max(lastUse, upload.lastWrite ?? .distantPast).timeIntervalSinceNow < -Self.rest
        }
    }

    private let limits: StudioLimits
    private let parent: URL
    private let openFile: @Sendable (URL) throws -> FileHandle
    private var folder: PrivateFolder?
    private var entries: [String: Entry] = [:]
    private var queue = UploadQueue()

    /// A store in a folder for temporary files; removes the leftovers of killed studios.
    package init(limits: StudioLimits, in parent: URL = FileManager.default.temporaryDirectory) {
        self.init(limits: limits, in: parent) { try UploadStore.create($0) }
    }

    init(limits: StudioLimits, in parent: URL, open: @escaping @Sendable (URL) throws -> FileHandle) {
        (self.limits, self.parent, openFile) = (limits, parent, open)
        PrivateFolder.removeLeftovers(in: parent)
    }

    /// Finds a complete upload, which counts as using it.
    package func upload(_ id: String) -> StudioUpload? {
        guard let entry = entries[id], entry.isWhole else { return nil }
        guard FileManager.default.fileExists(atPath: entry.upload.video.path) else {
            remove(id)
            return nil
        }
        entries[id]?.lastUse = Date()
        return entry.upload
    }

    /// A client's uploads, the latest used first.
    package func list(for client: ClientAddress) -> [ListedUpload] {
        own(client).sorted { $0.lastUse > $1.lastUse }.map { entry in
            let files = [entry.upload.video, entry.upload.overlay, entry.upload.hidden, entry.upload.poses]
            let bytes = files.map { (try? FileManager.default.attributesOfItem(atPath: $0.path)[.size] as? Int) ?? 0 }
            return ListedUpload(
                upload: entry.upload.id, name: entry.upload.name, bytes: bytes.reduce(0, +),
                isNeeded: !entry.isUnneeded)
        }
    }

    /// The place in the queue of a client that wants to send a video; 0 if it may send it now.
    ///
    /// Those who ask again and again keep their place.
    package func place(of ticket: UUID, for client: ClientAddress) -> Int {
        let ahead = queue.ahead(of: ticket, client, at: .now)
        if hasRoom(for: client), !ahead.contains(where: { hasRoom(for: $0) }) { return 0 }
        // Of those stored, one or more are analysed and the others wait for it.
        return max(1, entries.values.count { !$0.isUnneeded } + ahead.count)
    }

    private func own(_ client: ClientAddress) -> [Entry] { entries.values.filter { $0.client.key == client.key } }

    private func hasRoom(for client: ClientAddress) -> Bool {
        let kept = own(client)
        return entries.count < client.share(of: limits.uploads) && kept.count < limits.uploadsPerAddress
            || kept.contains(where: \.isUnneeded)
    }

    /// Makes room for an upload, for which the client's oldest ones that nobody needs leave.
    package func begin(
        name: String, for client: ClientAddress = ClientAddress("")
    ) throws -> (upload: StudioUpload, file: FileHandle) {
        // A cleaner of temporary files may have removed them all.
        if folder?.isThere == false { removeAll() }
        var displaced: [String] = []
        while entries.count >= client.share(of: limits.uploads) || own(client).count >= limits.uploadsPerAddress {
            let oldest = own(client).filter(\.isUnneeded).min { $0.lastUse < $1.lastUse }
            guard let oldest else {
                throw HTTPError(
                    .tooManyRequests, "too-many-uploads",
                    "The studio is still working on other videos; try again when they are done.", closes: true)
            }
            remove(oldest.upload.id)
            displaced.append(oldest.upload.name)
        }
        do {
            let folder = try self.folder ?? PrivateFolder(in: parent)
            self.folder = folder
            let id = RandomID.make()
            let upload = StudioUpload(
                id: id, name: StudioUpload.displayName(name), folder: folder.url.appending(path: id),
                displaced: displaced)
            guard mkdir(upload.folder.path, 0o700) == 0 else { throw POSIXError.last }
            let file = try openFile(upload.video)
            entries[id] = Entry(upload: upload, client: client)
            return (upload, file)
        } catch {
            throw HTTPError.unkept(error)
        }
    }

    /// Begins an upload as soon as one of the client's others is done with; throws if all are still being sent, or worked with
    /// for longer. It gives up the place of its ticket in the queue.
    package func beginInTurn(
        name: String, for client: ClientAddress, ticket: UUID? = nil
    ) async throws -> (upload: StudioUpload, file: FileHandle) {
        if let ticket { queue.leave(ticket) }
        let patience = ContinuousClock.now + .seconds(2 * Entry.rest)
        while true {
            do {
                return try begin(name: name, for: client)
            } catch let error as HTTPError where error.code == "too-many-uploads" {
                let isWorthIt = entries.values.contains { $0.client.key == client.key && $0.isWhole }
                guard isWorthIt, ContinuousClock.now < patience else { throw error }
                try await Task.sleep(for: .milliseconds(250))
            }
        }
    }

    /// Throws if the file was removed while it was written.
    package func complete(_ upload: StudioUpload) throws {
        guard FileManager.default.fileExists(atPath: upload.video.path) else {
            throw HTTPError.unkept(POSIXError(.ENOENT))
        }
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
    package func removeIdle() {
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
    package static func create(_ url: URL) throws -> FileHandle {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError.last }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

extension HTTPError {
    static let diskFull = HTTPError(
        .insufficientStorage, "disk-full", "There is no room on the studio's disk for this.", closes: true)

    /// Why a file of an upload cannot be written, which only a full disk makes `disk-full`.
    static func unkept(_ error: any Error) -> HTTPError {
        guard let code = (error as? POSIXError)?.code, code != .ENOSPC, code != .EDQUOT else { return .diskFull }
        return HTTPError(
            .insufficientStorage, "not-kept",
            "The studio cannot write into its folder for uploads (\(String(cString: strerror(code.rawValue)))).",
            closes: true)
    }
}

extension POSIXError {
    /// The error of the system call that has just failed.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
}

/// A folder that only this user can enter and only this process uses; removed with this object.
final class PrivateFolder: Sendable {
    let url: URL
    private let lock: FileHandle

    private static let prefix = "kinema-studio-"
    /// Another studio may remove a folder before it is locked.
    private static let attempts = 3

    /// Makes it, and its parent where that was removed; throws the system's error.
    init(in parent: URL) throws {
        try? FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        for _ in 0..<Self.attempts {
            let url = parent.appending(path: Self.prefix + RandomID.make())
            guard mkdir(url.path, 0o700) == 0 else { throw POSIXError.last }
            if let lock = Self.lock(url) {
                (self.url, self.lock) = (url, lock)
                return
            }
        }
        throw POSIXError(.EAGAIN)
    }

    /// Whether the path still leads to it.
    var isThere: Bool { LineFile.isKept(lock, at: url) }

    deinit {
        try? FileManager.default.removeItem(at: url)
        try? lock.close()
    }

    /// Removes the folders of this user's studios that were killed.
    static func removeLeftovers(in parent: URL) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        where name.hasPrefix(prefix) && RandomID.isOne(name.dropFirst(prefix.count)) {
            let folder = parent.appending(path: name)
            guard let lock = lock(folder) else { continue }
            try? FileManager.default.removeItem(at: folder)
            try? lock.close()
        }
    }

    /// Locks a folder of this user; nil for another user's, for a link, and while another process has it.
    private static func lock(_ folder: URL) -> FileHandle? {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        // Without links it has been removed.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
            status.st_nlink > 0
        else { return nil }
        return handle
    }
}
