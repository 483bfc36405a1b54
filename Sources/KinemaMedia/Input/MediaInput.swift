public import Foundation
internal import KinemaCore

/// Where pictures come from.
public enum MediaInput: Hashable, Sendable {
    /// A video or a picture in a file.
    case file(URL)
    /// The bytes of a video or a picture, arriving on standard input.
    case standardInput

    /// Reads a command line argument: `-` is standard input, anything else the path of a file.
    ///
    /// Throws `invalidArgument` for an empty name, `unsupported` for cameras and addresses, which this version does not read; a file of such a name is given as
    /// `./camera`.
    public init(argument: String) throws {
        if argument.isEmpty {
            throw KinemaError(.invalidArgument, "the input has no name; give a video or picture file")
        } else if argument == "-" {
            self = .standardInput
        } else if argument == "camera" || argument.hasPrefix("camera:") {
            throw KinemaError(.unsupported, "cameras are not supported yet; record to a file first", file: argument)
        } else if argument.contains("://") {
            throw KinemaError(.unsupported, "streams are not supported yet; save to a file first", file: argument)
        } else {
            self = .file(URL(fileURLWithPath: argument))
        }
    }

    /// What identifiers and messages call it: the full path, or `-`.
    public var source: String {
        switch self {
        case .file(let url): url.path
        case .standardInput: "-"
        }
    }

    var url: URL {
        switch self {
        case .file(let url): url
        case .standardInput: URL(fileURLWithPath: "/dev/stdin")
        }
    }
}
