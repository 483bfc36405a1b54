public import Foundation
internal import KinemaCore

/// An input to read frames from.
public enum MediaInput: Hashable, Sendable {
    /// A video or an image in a file.
    case file(URL)
    /// A video or an image that arrives on standard input.
    case standardInput
    /// A camera of this machine.
    case camera(VideoReader.CameraConfiguration)
    /// A network stream; over HTTP also a video or an image file.
    case stream(StreamAddress)

    /// Parses a command line argument: `-` is standard input, `camera` or `camera:/dev/video0` a camera, an address
    /// that begins with `rtsp://`, `rtsps://`, `http://` or `https://` a stream, and anything else a file (`./camera`
    /// if so named).
    ///
    /// Throws `invalidArgument` for an empty name and other addresses.
    public init(argument: String) throws {
        if argument.isEmpty {
            throw KinemaError(.invalidArgument, "the input has no name; give a video or image file")
        } else if argument == "-" {
            self = .standardInput
        } else if argument == "camera" {
            self = .camera(VideoReader.CameraConfiguration())
        } else if argument.hasPrefix("camera:") {
            let device = String(argument.dropFirst("camera:".count))
            guard !device.isEmpty else {
                throw KinemaError(
                    .invalidArgument, "the device name is missing; give camera:/dev/video0", file: argument)
            }
            self = .camera(VideoReader.CameraConfiguration(device: device))
        } else if argument.contains("://") {
            self = .stream(try StreamAddress(argument))
        } else {
            self = .file(URL(fileURLWithPath: argument))
        }
    }

    /// The name in identifiers and messages: full path, `-`, `camera:` and device, or the address without its secrets.
    public var source: String {
        switch self {
        case .file(let url): url.path
        case .standardInput: "-"
        case .camera(let configuration): configuration.device.map { "camera:\($0)" } ?? "camera"
        case .stream(let address): address.description
        }
    }

    /// Whether opening takes time and reading may fail midway.
    var isRemote: Bool {
        switch self {
        case .file, .standardInput: false
        case .camera, .stream: true
        }
    }

    var url: URL {
        switch self {
        case .file(let url): url
        case .standardInput: URL(fileURLWithPath: "/dev/stdin")
        case .camera(let configuration):
            URL(fileURLWithPath: configuration.filter == nil ? configuration.device ?? "/dev/video0" : "/dev/null")
        case .stream(let address): URL(string: address.description) ?? URL(fileURLWithPath: "/")
        }
    }
}
