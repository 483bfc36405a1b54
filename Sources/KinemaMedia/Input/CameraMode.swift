import Foundation

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
    static func nearest(
        _ modes: [CameraMode], to wanted: VideoReader.CameraConfiguration
    ) -> CameraMode? {
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
