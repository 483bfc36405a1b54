package import Foundation

package enum CameraList {
    package static func all(
        in folder: URL = URL(filePath: "/sys/class/video4linux")
    ) -> [LiveConfiguration.Camera] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix("video") }.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
            .compactMap { device in
                // A camera has further devices without pictures, for metadata; its first device has index 0.
                guard line(folder, device, "index") == "0" else { return nil }
                return LiveConfiguration.Camera(device: "/dev/\(device)", name: line(folder, device, "name") ?? device)
            }
    }

    private static func line(_ folder: URL, _ device: String, _ file: String) -> String? {
        let text = try? String(contentsOf: folder.appending(path: "\(device)/\(file)"), encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
