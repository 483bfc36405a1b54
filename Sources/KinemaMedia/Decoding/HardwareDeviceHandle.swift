import CFFmpeg
import Foundation
package import KinemaCore

/// A device that decodes video through VA-API, with its driver started.
// SAFETY: unchecked because the reference counts atomically and is never changed; made in `init`, given back in `deinit`.
package final class HardwareDeviceHandle: @unchecked Sendable {
    package let path: String
    /// Whether to refuse a video that it does not decode, instead of using the processor.
    let isRequired: Bool
    let reference: UnsafeMutablePointer<AVBufferRef>

    /// The device files of graphics drivers for all users (render nodes: minor numbers 128 to 191).
    package static var paths: [String] {
        (128..<192).map { "/dev/dri/renderD\($0)" }.filter(FileManager.default.fileExists)
    }

    /// Starts the driver that the choice names; nil for the processor.
    package static func open(_ choice: DecodingChoice) throws(KinemaError) -> HardwareDeviceHandle? {
        guard case .vaapi(let device, let isRequired) = choice else { return nil }
        let paths = device.map { [$0] } ?? paths
        for path in paths {
            if let opened = HardwareDeviceHandle(path, isRequired: isRequired) { return opened }
        }
        guard isRequired else { return nil }
        throw KinemaError(.missingComponent, "\(obstacle(at: paths)); omit --decode, or use --decode auto")
    }

    /// The devices whose drivers start, or why there is none, as text.
    package static var summary: String {
        let paths = paths
        let working = paths.filter { HardwareDeviceHandle($0, isRequired: false) != nil }
        return working.isEmpty ? obstacle(at: paths) : working.joined(separator: ", ")
    }

    private static func obstacle(at paths: [String]) -> String {
        guard kinema_has_vaapi() != 0 else { return "this FFmpeg is built without VA-API" }
        guard let path = paths.first else { return "no device for VA-API: there is no /dev/dri/renderD128" }
        guard access(path, F_OK) == 0 else { return "no device for VA-API: there is no \(path)" }
        return access(path, R_OK | W_OK) == 0
            ? "no driver for VA-API works with \(path); install one, such as mesa-va-drivers"
            : "no permission for \(path); add this user to the group render"
    }

    private init?(_ path: String, isRequired: Bool) {
        ContainerHandle.silence
        var reference: UnsafeMutablePointer<AVBufferRef>?
        guard av_hwdevice_ctx_create(&reference, AV_HWDEVICE_TYPE_VAAPI, path, nil, 0) == 0, let reference else {
            return nil
        }
        (self.path, self.isRequired, self.reference) = (path, isRequired, reference)
    }

    deinit {
        var reference: UnsafeMutablePointer<AVBufferRef>? = reference
        av_buffer_unref(&reference)
    }
}
