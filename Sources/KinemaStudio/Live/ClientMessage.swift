import Foundation
import KinemaToss

/// A client's message in JSON.
enum ClientMessage: Sendable, Equatable {
    case start(StartRequest)
    case stop
    case drawing(DrawingCommand)

    /// The longest text that is read, bytes; the longest that makes sense has a few hundred.
    private static let limit = 16_384

    private struct Planned: Decodable {
        var plan: SessionPlan?
    }

    private struct Head: Decodable {
        var type: String
        var value: String?
    }

    /// Reads a message; throws a problem that says what is wrong with it.
    init(_ text: String) throws(LiveProblem) {
        guard text.utf8.count <= Self.limit else {
            throw LiveProblem(.badMessage, "this message is longer than \(Self.limit) bytes; frames are sent as binary")
        }
        let bytes = Data(text.utf8)
        let decoder = JSONDecoder()
        guard let head = try? decoder.decode(Head.self, from: bytes) else {
            throw LiveProblem(.badMessage, "a message is a JSON object with a type")
        }
        switch head.type {
        case "start":
            guard let planned = try? decoder.decode(Planned.self, from: bytes), planned.plan?.isValid != false else {
                throw LiveProblem(
                    .badMessage, "plan needs a UUID as plan, and set, sets and, where it is given, target from 1 to 100"
                )
            }
            guard let request = try? decoder.decode(StartRequest.self, from: bytes) else {
                throw LiveProblem(.badMessage, "start needs a mode and a source, as the documentation lists them")
            }
            self = .start(request)
        case "stop": self = .stop
        case "undo": self = .drawing(.undo)
        case "clear": self = .drawing(.clear)
        case "colour":
            guard let value = head.value, let colour = DrawingColour(value) else {
                throw LiveProblem(.badMessage, "colour needs a value such as \"#0072b2\"")
            }
            self = .drawing(.colour(colour))
        default: throw LiveProblem(.badMessage, "there is no message of that type")
        }
    }
}

/// A client's command to its drawing.
enum DrawingCommand: Sendable, Equatable {
    case undo, clear
    case colour(DrawingColour)
}

/// A colour of lines: "#rrggbb" and nothing else, since it comes to stand in an SVG.
struct DrawingColour: Sendable, Hashable {
    let hex: String

    /// Dark enough for white ground, and distinct from the other hand's for colour-blind readers.
    static let usual = DrawingColour(number: 0x0072B2)

    /// Reads "#rrggbb"; nil for all else.
    init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(number: number)
    }

    private init(number: UInt32) {
        let digits = String(number, radix: 16)
        hex = "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Red, green and blue in three bytes.
    var number: UInt32 { UInt32(hex.dropFirst(), radix: 16) ?? 0 }
}

/// A client's `start`: what it wants to see, and of what.
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

    var mode: StoredSession.Mode
    var source: Source
    /// "auto" or an exercise's name.
    var exercise: String?
    var classifier: String?
    var people: People?
    var hands: Bool?
    /// Whether the picture has to show all of somebody, in mode `poses`.
    var wholeBody: Bool?
    /// x, y, width, height: normalised, origin at the lower left.
    var board: [Double]?
    /// Which throws count, in mode `toss`.
    var direction: TossRules.Direction?
    /// How many throws a game has, in mode `toss`; the sample's eight where nil.
    var `throws`: ThrowLimit?
    var keep: Bool?
    var keepPoses: Bool?
    /// Keeps the uploaded video with the session.
    var keepVideo: Bool?
    /// The set of a plan that this is.
    var plan: SessionPlan?
    /// The session that goes on with this one, after a connection was lost: they are stored as one.
    var continues: UUID?
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

    /// Whether the frames come over the socket.
    var isClient: Bool { if case .browser = self { true } else { false } }

    /// Whether it is an uploaded video.
    var isUpload: Bool { if case .upload = self { true } else { false } }

    /// Where the pictures come from, in words for people; never a path.
    var displayName: String {
        switch self {
        case .browser(let name): name.map { String($0.prefix(100)) } ?? "browser"
        case .input(let name): name
        case .camera, .stream, .upload: kind
        }
    }
}
