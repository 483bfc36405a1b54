internal import Foundation

/// One way a camera can deliver its pictures.
struct CameraMode: Hashable, Sendable {
    /// Motion JPEG; otherwise raw samples (YUYV).
    var isCompressed: Bool
    var width: Int
    var height: Int
    /// The highest, frames a second; 0 where the camera does not tell.
    var frameRate: Double

    /// Rates within this are the same: 29.97 is 30.
    private static let rateTolerance = 0.5

    /// The mode nearest to what is asked for: by size in pixels where that is given, else by the resolution among those
    /// that reach the frame rate; raw samples before compressed ones, which cost decoding. Nil without any mode.
    static func nearest(
        _ modes: [CameraMode], to wanted: VideoReader.CameraConfiguration
    ) -> CameraMode? {
        let fit = modes.filter { ReadingLimits().accepts(width: $0.width, height: $0.height) }
        let fastest = fit.map(\.frameRate).max() ?? 0
        let enough = min(wanted.frameRate, fastest) - rateTolerance
        let quick = fit.filter { $0.frameRate >= enough }
        let target: (Double, Double)
        if let size = wanted.frameSize {
            target = (size.width, size.height)
        } else {
            guard let largest = quick.max(by: { $0.area < $1.area }) else { return nil }
            let share: Double =
                switch wanted.resolution {
                case .high: 1
                case .medium: 0.5
                case .low: 0
                }
            target = (Double(largest.width) * share, Double(largest.height) * share)
        }
        // An explicit size counts for more than the rate.
        return (wanted.frameSize == nil ? quick : fit).min { one, other in
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
