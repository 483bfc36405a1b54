import Foundation

/// What a client wants to see, and of what.
struct StartRequest: Sendable, Equatable, Decodable {
    /// Where the pictures come from.
    enum Source: Sendable, Equatable {
        case browser(name: String?)
        case camera(device: String)
        case stream(url: String)
        case input(name: String)
        case upload(id: String)
    }

    /// Who is followed.
    enum People: String, Sendable, Decodable {
        case prominent, all
    }

    var mode: KeptSession.Mode
    var source: Source
    /// "auto" or an exercise's name.
    var exercise: String?
    var classifier: String?
    var people: People?
    var hands: Bool?
    /// x, y, width, height: normalised, origin at the lower left.
    var board: [Double]?
    var keep: Bool?
    var keepPoses: Bool?
    var overlay: Bool?
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

    /// The kind as the interface calls it.
    var kind: String {
        switch self {
        case .browser: Kind.browser.rawValue
        case .camera: Kind.camera.rawValue
        case .stream: Kind.stream.rawValue
        case .input: Kind.input.rawValue
        case .upload: Kind.upload.rawValue
        }
    }
}
