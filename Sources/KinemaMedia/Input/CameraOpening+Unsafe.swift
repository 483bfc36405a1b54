internal import CFFmpeg
internal import Foundation
internal import KinemaCore

extension ContainerHandle {
    /// Opens a camera, or the filter that stands in for one.
    static func open(
        _ configuration: VideoReader.CameraConfiguration, _ watch: InterruptHandle, source: String
    ) throws(KinemaError) -> UnsafeMutablePointer<AVFormatContext>? {
        // SAFETY: the context is FFmpeg's own; it frees it when opening fails, and `ContainerHandle` does otherwise.
        var context = avformat_alloc_context()
        guard let fresh = context else { throw .outOfMemory }
        watch.install(on: fresh)
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        let code: Int32
        if let graph = configuration.filter {
            code = kinema_open_device(&context, "lavfi", graph, &options)
        } else {
            do throws(KinemaError) {
                let path: String
                if let named = configuration.device {
                    path = named
                } else {
                    path = try CameraDeviceHandle.device(configuration.position)
                }
                let device = try CameraDeviceHandle(path, source: source)
                for (name, value) in settings(device, configuration) { av_dict_set(&options, name, value, 0) }
                // Reading then tells that there is no picture yet, instead of waiting where nobody can interrupt it.
                fresh.pointee.flags |= AVFMT_FLAG_NONBLOCK
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
            // The camera lists nothing: it is asked all the same, and its driver takes what is nearest.
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
    /// The filter that stands in for a camera; nil for a camera.
    var filter: String? {
        guard let device, device.hasPrefix("lavfi:") else { return nil }
        return String(device.dropFirst("lavfi:".count))
    }
}

extension KinemaError {
    /// Why a camera could not be opened or read on, from FFmpeg's number.
    static func unusable(_ source: String, _ code: Int32, isFilter: Bool) -> KinemaError {
        let reason =
            switch kinema_stream_trouble(code) {
            case KINEMA_TROUBLE_BUSY: "is in use by another program; close that first"
            case KINEMA_TROUBLE_GONE where !isFilter: "the camera is gone; plug it in again"
            case KINEMA_TROUBLE_FORBIDDEN where !isFilter:
                "may not be opened; add your user to the group video (sudo usermod -aG video $USER) and log in again"
            default:
                isFilter
                    ? "this filter gives no pictures; check its name, its options and its file"
                    : "the camera gives no pictures that can be read; try another, or reconnect it"
            }
        return KinemaError(.unreadableInput, reason, file: source)
    }
}
