import CFFmpeg
import Foundation
import KinemaCore

/// A camera's open device file, for querying its capabilities.
final class CameraDeviceHandle {
    let path: String
    // SAFETY: opened in `init`, closed in `deinit`.
    private let descriptor: Int32

    /// The highest device number searched; VIDEO_NUM_DEVICES is 256, but machines have far fewer than 64 cameras.
    private static let maximumDevices = 64

    init(_ path: String, source: String) throws(KinemaError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(errno, source) }
        switch kinema_camera_captures(descriptor) {
        case 1: return
        case 0: throw KinemaError.unreadable("delivers no frames; \(Self.availableCameras())", source)
        default: throw KinemaError.unreadable("is not a camera; \(Self.availableCameras())", source)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var modes: [CameraMode] {
        var found = [kinema_camera_mode](repeating: kinema_camera_mode(), count: 256)
        let count = found.withUnsafeMutableBufferPointer {
            // SAFETY: the buffer has room for the number of modes requested.
            kinema_camera_modes(descriptor, $0.baseAddress, Int32($0.count))
        }
        return found.prefix(Int(count)).map {
            CameraMode(
                isCompressed: $0.is_compressed != 0, width: Int($0.width), height: Int($0.height), frameRate: $0.rate)
        }
    }

    /// The device files of this machine's cameras that deliver pictures, in order of their numbers.
    static func all() -> [String] {
        (0..<maximumDevices).map { "/dev/video\($0)" }.filter { path in
            FileManager.default.fileExists(atPath: path) && (try? CameraDeviceHandle(path, source: path)) != nil
        }
    }

    /// The device for a camera position: the first camera is the front one, the second the back one.
    static func device(_ position: VideoReader.CameraConfiguration.Position) throws(KinemaError) -> String {
        let cameras = all()
        if let first = cameras.first { return position == .back && cameras.count > 1 ? cameras[1] : first }
        // A camera that exists but cannot be used is the likelier reason.
        if FileManager.default.fileExists(atPath: "/dev/video0") {
            _ = try CameraDeviceHandle("/dev/video0", source: "camera:/dev/video0")
        }
        throw KinemaError.unreadable("this machine has no camera; connect one, or read a file or a stream", "camera")
    }

    private static func availableCameras() -> String {
        let cameras = all()
        return cameras.isEmpty
            ? "this machine has no camera; connect one"
            : "available: \(cameras.map { "camera:\($0)" }.joined(separator: ", "))"
    }

    private static func failure(_ code: Int32, _ source: String) -> KinemaError {
        let reason =
            switch code {
            case ENOENT, ENOTDIR, ENODEV, ENXIO: "there is no such camera; \(availableCameras())"
            case EACCES, EPERM:
                "permission denied; add your user to the group video (sudo usermod -aG video $USER) and log in again"
            case EBUSY: "is in use by another program; close it first"
            case EISDIR: "is not a camera; \(availableCameras())"
            default: "cannot be opened: \(String(cString: strerror(code)))"
            }
        return KinemaError(.unreadableInput, reason, file: source)
    }
}

extension ContainerHandle {
    /// Opens a camera, or the FFmpeg filter that stands in for one.
    static func open(
        _ configuration: VideoReader.CameraConfiguration, _ interrupt: InterruptHandle, source: String
    ) throws(KinemaError) -> UnsafeMutablePointer<AVFormatContext>? {
        // SAFETY: FFmpeg owns the context: it frees it when opening fails, and `ContainerHandle` frees it otherwise.
        var context = avformat_alloc_context()
        guard let allocated = context else { throw .outOfMemory }
        interrupt.install(on: allocated)
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        let code: Int32
        if let graph = configuration.filter {
            code = kinema_open_device(&context, "lavfi", graph, &options)
        } else {
            do throws(KinemaError) {
                let path: String
                if let given = configuration.device {
                    path = given
                } else {
                    path = try CameraDeviceHandle.device(configuration.position)
                }
                let device = try CameraDeviceHandle(path, source: source)
                for (name, value) in settings(device, configuration) { av_dict_set(&options, name, value, 0) }
                // Reading then reports that no picture is ready, instead of blocking where nothing can interrupt it.
                allocated.pointee.flags |= AVFMT_FLAG_NONBLOCK
                code = kinema_open_device(&context, "video4linux2", device.path, &options)
            } catch {
                avformat_free_context(context)
                throw error
            }
        }
        guard code == 0 else { throw .unusable(source, code, isFilter: configuration.filter != nil) }
        return context
    }

    private static func settings(
        _ device: CameraDeviceHandle, _ wanted: VideoReader.CameraConfiguration
    ) -> [String: String] {
        guard let mode = CameraMode.nearest(device.modes, to: wanted) else {
            // The camera lists no modes. Request the size anyway; the driver picks the nearest.
            guard let size = wanted.frameSize else { return [:] }
            return ["video_size": "\(Int(size.width))x\(Int(size.height))"]
        }
        var settings = [
            "input_format": mode.isCompressed ? "mjpeg" : "yuyv422", "video_size": "\(mode.width)x\(mode.height)",
        ]
        if mode.frameRate > 0 { settings["framerate"] = "\(min(mode.frameRate, wanted.frameRate))" }
        return settings
    }
}

extension VideoReader.CameraConfiguration {
    /// The FFmpeg filter that stands in for a camera; nil for a real camera.
    var filter: String? {
        guard let device, device.hasPrefix("lavfi:") else { return nil }
        return String(device.dropFirst("lavfi:".count))
    }
}

extension KinemaError {
    static func unusable(_ source: String, _ code: Int32, isFilter: Bool) -> KinemaError {
        let reason =
            switch kinema_stream_trouble(code) {
            case KINEMA_TROUBLE_BUSY: "is in use by another program; close it first"
            case KINEMA_TROUBLE_GONE where !isFilter: "the camera was unplugged; plug it in again"
            case KINEMA_TROUBLE_FORBIDDEN where !isFilter:
                "permission denied; add your user to the group video (sudo usermod -aG video $USER) and log in again"
            default:
                isFilter
                    ? "this filter delivers no frames; check its name, its options and its file"
                    : "the camera delivers no readable frames; reconnect it or try another"
            }
        return KinemaError(.unreadableInput, reason, file: source)
    }
}

struct CameraMode: Hashable, Sendable {
    /// Motion JPEG; otherwise raw samples (YUYV).
    var isCompressed: Bool
    var width: Int
    var height: Int
    /// The highest rate in frames a second; 0 if the camera reports none.
    var frameRate: Double

    /// Rates this close are equal: 29.97 counts as 30.
    private static let rateTolerance = 0.5

    /// The mode closest to a configuration; nil without any mode.
    ///
    /// A given frame size decides, otherwise the resolution among modes that reach the frame rate. Raw samples are
    /// preferred, since compressed ones cost decoding.
    static func nearest(_ modes: [CameraMode], to wanted: VideoReader.CameraConfiguration) -> CameraMode? {
        let usable = modes.filter { ReadingLimits().accepts(width: $0.width, height: $0.height) }
        let fastest = usable.map(\.frameRate).max() ?? 0
        let enough = min(wanted.frameRate, fastest) - rateTolerance
        let fastEnough = usable.filter { $0.frameRate >= enough }
        let target: (Double, Double)
        if let size = wanted.frameSize {
            target = (size.width, size.height)
        } else {
            guard let largest = fastEnough.max(by: { $0.area < $1.area }) else { return nil }
            let share: Double =
                switch wanted.resolution {
                case .high: 1
                case .medium: 0.5
                case .low: 0
                }
            target = (Double(largest.width) * share, Double(largest.height) * share)
        }
        // An explicit size outweighs the rate.
        return (wanted.frameSize == nil ? fastEnough : usable).min { one, other in
            let distances = (one.distance(target), other.distance(target))
            if distances.0 != distances.1 { return distances.0 < distances.1 }
            let rates = (min(one.frameRate, wanted.frameRate), min(other.frameRate, wanted.frameRate))
            if abs(rates.0 - rates.1) > rateTolerance { return rates.0 > rates.1 }
            return !one.isCompressed && other.isCompressed
        }
    }

    private var area: Int { width * height }

    private func distance(_ target: (Double, Double)) -> Double {
        abs(Double(width) - target.0) + abs(Double(height) - target.1)
    }
}
