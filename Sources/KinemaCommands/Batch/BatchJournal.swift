import Foundation
import Kinema

/// Which videos are being worked on, so that the next run knows which ones the process died with.
struct BatchJournal {
    private let url: URL
    /// How often the process died while a video was being worked on.
    private(set) var deaths: [String: Int]

    /// From so many on, the video is taken for the cause.
    static let most = 2

    /// Takes up what a run that died left behind; otherwise begins anew.
    init(in folder: URL, takesUp: Bool) {
        url = folder.appending(path: ".kinema-batch.running")
        let bytes = takesUp ? (try? Data(contentsOf: url)) ?? Data() : Data()
        deaths = (try? JSONDecoder().decode([String: Int].self, from: bytes)) ?? [:]
    }

    /// Notes that a video begins: should the process die, this was one more time.
    mutating func begin(_ source: String) throws {
        deaths[source, default: 0] += 1
        try save()
    }

    /// Notes that a video has ended, in whatever way but the process's death.
    mutating func end(_ source: String) throws {
        deaths[source] = nil
        try save()
    }

    private func save() throws {
        guard !deaths.isEmpty else {
            try? FileManager.default.removeItem(at: url)
            return
        }
        try WholeFile.write(try JSONEncoder().encode(deaths), to: url)
    }
}
