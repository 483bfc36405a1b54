import Foundation
import KinemaCore
import KinemaToss

struct StartRequest: Sendable, Equatable, Decodable {
    enum Source: Sendable, Equatable {
        case browser(name: String?)
        case camera(device: String)
        case stream(url: String)
        case input(name: String)
        case upload(id: String)
    }

    enum People: String, Sendable, Decodable {
        case prominent, all
    }

    var mode: StoredSession.Mode
    var source: Source
    /// "auto" or an exercise's name.
    var exercise: String?
    var classifier: String?
    var people: People?
    var hands: Bool?
    /// Whether the picture must show a whole person, in mode `poses`.
    var wholeBody: Bool?
    /// x, y, width, height: normalised, origin at the lower left.
    var board: [Double]?
    /// The direction of throws that count, in mode `toss`.
    var direction: TossRules.Direction?
    /// The throws of a game, in mode `toss`; nil for Apple's eight.
    var `throws`: ThrowLimit?
    var keep: Bool?
    var keepPoses: Bool?
    var keepVideo: Bool?
    var plan: SessionPlan?
    var details: SessionDetails?
    /// The session that this one continues after a lost connection; they are stored as one.
    var continues: UUID?
    var overlay: Bool?
    /// The parts of people hidden in the overlay and the stored video of an upload.
    var hide: Hiding?
}

extension StartRequest.Source: Decodable {
    private enum Kind: String, Decodable {
        case browser, camera, stream, input, upload
    }

    private enum Key: String, CodingKey {
        case kind, name, device, url, id
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        switch try values.decode(Kind.self, forKey: .kind) {
        case .browser: self = .browser(name: try values.decodeIfPresent(String.self, forKey: .name))
        case .camera: self = .camera(device: try values.decode(String.self, forKey: .device))
        case .stream: self = .stream(url: try values.decode(String.self, forKey: .url))
        case .input: self = .input(name: try values.decode(String.self, forKey: .name))
        case .upload: self = .upload(id: try values.decode(String.self, forKey: .id))
        }
    }

    var kind: String {
        switch self {
        case .browser: Kind.browser.rawValue
        case .camera: Kind.camera.rawValue
        case .stream: Kind.stream.rawValue
        case .input: Kind.input.rawValue
        case .upload: Kind.upload.rawValue
        }
    }

    var isClient: Bool { if case .browser = self { true } else { false } }

    var isUpload: Bool { if case .upload = self { true } else { false } }

    /// A name for people, never a path, which an archive may contain.
    var displayName: String {
        switch self {
        case .browser(let name): PlainText.name(name ?? "browser", atMost: 100)
        case .input(let name): PlainText.name(name)
        case .camera, .stream, .upload: kind
        }
    }
}
