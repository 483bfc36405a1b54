internal import CFFmpeg
internal import Foundation
internal import KinemaCore

/// A camera's device file, opened to ask what it is and what it offers.
final class CameraDeviceHandle {
    let path: String
    // SAFETY: opened in `init`, closed in `deinit`.
    private let descriptor: Int32

    /// Cameras are numbered from 0; the kernel makes no more of them by default (VIDEO_NUM_DEVICES is 256, one hub of
    /// them is far below 64).
    private static let mostDevices = 64

    /// Opens a device; says in one line why it is no camera that can be read.
    init(_ path: String, source: String) throws(KinemaError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(errno, source) }
        switch kinema_camera_captures(descriptor) {
        case 1: return
        case 0: throw KinemaError(.unreadableInput, "gives no pictures; \(Self.choice())", file: source)
        default: throw KinemaError(.unreadableInput, "is no camera; \(Self.choice())", file: source)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// What the camera offers as Motion JPEG and as raw samples.
    var modes: [CameraMode] {
        var found = [kinema_camera_mode](repeating: kinema_camera_mode(), count: 256)
        let count = found.withUnsafeMutableBufferPointer {
            // SAFETY: the buffer has room for as many modes as are asked for.
            kinema_camera_modes(descriptor, $0.baseAddress, Int32($0.count))
        }
        return found.prefix(Int(count)).map {
            CameraMode(
                isCompressed: $0.is_compressed != 0, width: Int($0.width), height: Int($0.height), frameRate: $0.rate)
        }
    }

    /// The device files of this machine's cameras, those that give pictures, in the order of their numbers.
    static func all() -> [String] {
        (0..<mostDevices).map { "/dev/video\($0)" }.filter { path in
            FileManager.default.fileExists(atPath: path) && (try? CameraDeviceHandle(path, source: path)) != nil
        }
    }

    /// The camera for a position: the first is the front one, the second the back one.
    static func device(_ position: VideoReader.CameraConfiguration.Position) throws(KinemaError) -> String {
        let cameras = all()
        if let first = cameras.first { return position == .back && cameras.count > 1 ? cameras[1] : first }
        // One that is there but cannot be used is the likelier reason.
        if FileManager.default.fileExists(atPath: "/dev/video0") {
            _ = try CameraDeviceHandle("/dev/video0", source: "camera:/dev/video0")
        }
        throw KinemaError(
            .unreadableInput, "this machine has no camera; connect one, or read a file or a stream", file: "camera")
    }

    private static func choice() -> String {
        let cameras = all()
        return cameras.isEmpty
            ? "this machine has none; connect one"
            : "there is \(cameras.map { "camera:\($0)" }.joined(separator: ", "))"
    }

    private static func failure(_ code: Int32, _ source: String) -> KinemaError {
        let reason =
            switch code {
            case ENOENT, ENOTDIR, ENODEV, ENXIO: "there is no such camera; \(choice())"
            case EACCES, EPERM:
                "may not be opened; add your user to the group video (sudo usermod -aG video $USER) and log in again"
            case EBUSY: "is in use by another program; close that first"
            case EISDIR: "is no camera; \(choice())"
            default: "cannot be opened: \(String(cString: strerror(code)))"
            }
        return KinemaError(.unreadableInput, reason, file: source)
    }
}
