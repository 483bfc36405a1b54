import KinemaHistory
import KinemaHTTP
import KinemaPhones
import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import KinemaToss

enum ClientMessage: Sendable, Equatable {
    case start(StartRequest)
    case stop
    case drawing(DrawingCommand)

    /// Bytes; real messages have a few hundred.
    private static let limit = 16_384

    private struct Planned: Decodable {
        var plan: SessionPlan?
    }

    private struct Head: Decodable {
        var type: String
        var value: String?
    }

    init(_ text: String) throws(LiveProblem) {
        guard text.utf8.count <= Self.limit else {
            throw LiveProblem(.badMessage, "this message is longer than \(Self.limit) bytes; send frames as binary")
        }
        let bytes = Data(text.utf8)
        let decoder = JSONDecoder()
        guard let head = try? decoder.decode(Head.self, from: bytes) else {
            throw LiveProblem(.badMessage, "a message must be a JSON object with a type")
        }
        switch head.type {
        case "start":
            guard let planned = try? decoder.decode(Planned.self, from: bytes), planned.plan?.isValid != false else {
                throw LiveProblem(
                    .badMessage,
                    "plan needs a UUID as plan, set and sets from 1 to 100, and a target, if any, up to 1000"
                )
            }
            guard var request = try? decoder.decode(StartRequest.self, from: bytes) else {
                throw LiveProblem(.badMessage, "start needs a mode and a source, as the documentation lists them")
            }
            do { request.details = try request.details?.checked() } catch {
                throw LiveProblem(.badMessage, error.message)
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
        default: throw LiveProblem(.badMessage, "unknown type of message")
        }
    }
}

struct ClientFrameDecoder {
    private let limits: LiveLimits
    private let source: String
    private let isolation: DecoderIsolation
    private var decoder: JPEGFrameDecoder?

    init(limits: LiveLimits, isolation: DecoderIsolation = .none, source: String) {
        (self.limits, self.isolation, self.source) = (limits, isolation, source)
    }

    mutating func picture(of frame: LiveFrame) throws(LiveProblem) -> VideoFrame {
        switch frame.content {
        case .decoded(let picture): return picture
        case .posed(let seen): return seen.frame
        case .encoded(let picture, let range):
            let id = TemporalSegmentIdentifier(source: source, range: range, timescale: 1_000_000)
            do throws(KinemaError) {
                switch picture {
                case .jpeg(let bytes): return try decodedFrame(bytes, id)
                case .planar(let planes):
                    return try planes.frame(id, maximumWidth: limits.width, maximumHeight: limits.height)
                }
            } catch {
                throw Self.problem(error, frame.sequence)
            }
        }
    }

    private mutating func decodedFrame(
        _ bytes: Data, _ id: TemporalSegmentIdentifier
    ) throws(KinemaError) -> VideoFrame {
        let ready: JPEGFrameDecoder
        if let decoder { ready = decoder } else { ready = try makeDecoder() }
        decoder = ready
        return try ready.frame(bytes, id: id)
    }

    private func makeDecoder() throws(KinemaError) -> JPEGFrameDecoder {
        try JPEGFrameDecoder(isolation, maximumWidth: limits.width, maximumHeight: limits.height)
    }

    private static func problem(_ error: KinemaError, _ sequence: UInt32) -> LiveProblem {
        switch error.code {
        case .invalidArgument: LiveProblem(.tooLarge, error.message, sequence: sequence)
        case .missingComponent: LiveProblem(.missingComponent, error.message, sequence: sequence)
        default: LiveProblem(.badFrame, error.message, sequence: sequence)
        }
    }
}

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
    /// Who is in front of the camera, for the page that shows all sessions.
    var name: String?
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

extension LiveSender {
    /// Throws if a phone asks for what only the owner may do.
    func check(_ request: StartRequest) throws(LiveProblem) {
        guard phone != nil else { return }
        guard request.source.isClient else {
            throw LiveProblem(.ownerOnly, "a phone can only use its own camera")
        }
        if let session = request.continues, !mayContinue(session) {
            throw LiveProblem(.ownerOnly, "a phone can only continue what it recorded")
        }
    }
}
