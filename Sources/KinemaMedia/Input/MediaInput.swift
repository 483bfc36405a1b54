public import Foundation
package import KinemaCore

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

/// A file or pipe for a decoder process, opened by a process that may open files.
struct GivenFile {
    let descriptor: Int32
    /// An empty file for the bytes of a pipe; the descriptor itself if none is needed.
    let scratch: Int32

    init(descriptor: Int32, scratch: Int32) { (self.descriptor, self.scratch) = (descriptor, scratch) }

    /// Opens a file or uses standard input; makes the empty file for pipes. The caller closes it.
    init(_ input: MediaInput) throws(KinemaError) {
        descriptor = try ByteSourceHandle.open(input)
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        scratch = isFile ? descriptor : ByteSourceHandle.temporaryFile() ?? descriptor
    }

    /// Whether the whole input is available: a file, not a pipe.
    var isComplete: Bool { scratch == descriptor }

    func close() {
        if scratch != descriptor { Foundation.close(scratch) }
        if descriptor != STDIN_FILENO { Foundation.close(descriptor) }
    }
}

/// Files of other kinds, named by their first bytes so that a refusal says what they are.
package enum ForeignFile {
    private static let signatures: [(bytes: [UInt8], name: String)] = [
        (Array("PAR1".utf8), "a Parquet table\(byModule)"), (Array("ARROW1".utf8), "a Feather table"),
        (Array("BZh".utf8), "a file packed with bzip2"),
        ([0x28, 0xB5, 0x2F, 0xFD], "a file packed with Zstandard"), ([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive"),
        (Array("Rar!".utf8), "a RAR archive"),
        ([0x89, 0x48, 0x44, 0x46], "an HDF5 file (.h5, .slp, .mat)\(byModule)"),
        (Array("HIERARCHY".utf8), "a BVH skeleton\(byModule)"),
        (Array("MATLAB 5.0".utf8), "a MATLAB file"), (Array("SQLite format 3".utf8), "an SQLite database"),
        (Array("%PDF".utf8), "a PDF document"), ([0xD0, 0xCF, 0x11, 0xE0], "an old Office document"),
        ([0x80, 0x03], "a Python pickle"), ([0x80, 0x04, 0x95], "a Python pickle"),
        ([0x80, 0x05, 0x95], "a Python pickle"), ([0x7F, 0x45, 0x4C, 0x46], "a program"),
        (Array("<?xml".utf8), "an XML document"),
        (Array("<!DOCTYPE".utf8), "a page of HTML"), (Array("<html".utf8), "a page of HTML"),
        (Array("<table".utf8), "a page of HTML"),
        (Array("version https://git".utf8), "a pointer of Git LFS (git lfs pull fetches the file)"),
    ]

    /// Files that may hold poses, and are of another kind if they do not.
    private static let containers: [(bytes: [UInt8], name: String)] = [
        (
            Array("PK\u{3}\u{4}".utf8),
            "a zip archive without a file of poses first (or a document that is one, such as .xlsx)"
        ),
        (Array("PK\u{5}\u{6}".utf8), "a zip archive without files"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "a file packed with xz that contains no poses"),
        ([0x1F, 0x8B], "a file packed with gzip that contains no poses"),
        ([0xFF, 0xFE], "a text in UTF-16 without poses"), ([0xFE, 0xFF], "a text in UTF-16 without poses"),
    ]

    /// The first bytes of videos and pictures, and how many come before them: MP4 and QuickTime, Matroska, AVI and WebP,
    /// Flash, Ogg, PNG, JPEG, GIF.
    private static let media: [(place: Int, bytes: [UInt8])] = [
        (4, Array("ftyp".utf8)), (4, Array("moov".utf8)), (0, [0x1A, 0x45, 0xDF, 0xA3]), (0, Array("RIFF".utf8)),
        (0, Array("FLV\u{1}".utf8)), (0, Array("OggS".utf8)), (0, [0x89, 0x50, 0x4E, 0x47]), (0, [0xFF, 0xD8, 0xFF]),
        (0, Array("GIF8".utf8)),
    ]

    /// Where a tar archive has its mark (POSIX 1003.1, pax), and the bytes of a head with it.
    private static let tarPlace = 257
    package static let headSize = tarPlace + 5

    /// Whether a file that begins with these bytes holds no poses, whatever its name.
    package static func holdsNoPoses(_ head: some Collection<UInt8>) -> Bool {
        signatures.contains { head.starts(with: $0.bytes) }
            || media.contains { head.dropFirst($0.place).starts(with: $0.bytes) }
    }

    /// Where those are read that need other libraries.
    private static let byModule = " (read by the Python module kinema)"

    /// What would be read instead.
    package static let readable =
        "give a video, an image, or poses as a table (.csv), lines of JSON, an array (.npy) or markers (.trc)"

    /// The kind of a file that begins with these bytes; nil for videos, pictures, poses and unknown files.
    package static func name(_ head: some Collection<UInt8>) -> String? {
        if let known = (signatures + containers).first(where: { head.starts(with: $0.bytes) }) { return known.name }
        if head.dropFirst(tarPlace).starts(with: "ustar".utf8) { return "a tar archive" }
        // C3D: the block of its parameters, and a fixed byte.
        let start = Array(head.prefix(2))
        return start.count == 2 && (2...10).contains(start[0]) && start[1] == 0x50
            ? "a C3D file of markers\(byModule)" : nil
    }

    /// Why a file or a folder that is no pose file cannot be read; nil if it may be a video or an image.
    package static func refusal(of url: URL) -> KinemaError? {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
            let text = "is a folder; give a video or image file, or a folder of OpenPose's or Ultralytics' files"
            return KinemaError(.unreadableInput, text, file: url.path)
        }
        return BoundedFile.head(of: url, count: headSize).flatMap { name($0) }.map { refusal($0, url.path) }
    }

    static func refusal(_ name: String, _ source: String) -> KinemaError {
        KinemaError(.unreadableInput, "is \(name), which cannot be read; \(readable)", file: source)
    }
}
