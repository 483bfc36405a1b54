import KinemaVN

// Code that imports Vision and nothing else: Foundation, times, geometry and images come with it.

/// The angles of both knees in a stream's frames, and why a frame has none.
final class KneeMonitor: NSObject {
    struct Reading: Codable, Identifiable {
        let id: UUID
        let seconds: TimeInterval
        let left: CGFloat
        let right: Double
    }

    private(set) var readings: [Reading] = []
    private(set) var reasons: [String] = []
    private(set) var started: CFAbsoluteTime = 0
    private let delay = CMTimeMake(value: 1, timescale: 2)
    private let request = VNDetectHumanBodyPoseRequest()
    private let handler = VNSequenceRequestHandler()
    private let lock = NSLock()

    func process(_ sampleBuffer: CMSampleBuffer) {
        guard let pixelBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
        if started == 0 { started = CFAbsoluteTimeGetCurrent() }
        let time = CMTimeAdd(CMSampleBufferGetPresentationTimeStamp(sampleBuffer), delay)
        guard CMTimeCompare(CMTimeSubtract(time, delay), .zero) >= 0 else { return }
        do {
            try handler.perform([request], on: pixelBuffer, orientation: .up)
            guard let points = try request.results?.first?.recognizedPoints(.all) else { return }
            let (width, height) = (CVPixelBufferGetWidth(pixelBuffer), CVPixelBufferGetHeight(pixelBuffer))
            func place(_ name: VNHumanBodyPoseObservation.JointName) -> CGPoint {
                VNImagePointForNormalizedPoint(points[name]?.location ?? VNPoint.zero.location, width, height)
            }
            let left = Self.angle(place(.leftHip), place(.leftKnee), place(.leftAnkle))
            let right = Self.angle(
                simd_double2(place(.rightHip)), simd_double2(place(.rightKnee)), simd_double2(place(.rightAnkle)))
            lock.withLock { readings.append(Reading(id: UUID(), seconds: time.seconds, left: left, right: right)) }
        } catch let error as NSError {
            reasons.append(Self.reason(error))
        }
    }

    func skipNext() { request.cancel() }

    private static func reason(_ error: NSError) -> String {
        guard error.domain == VNErrorDomain, let code = VNErrorCode(rawValue: error.code) else { return "other" }
        switch code {
        case .requestCancelled: return "skipped"
        case .internalError, .unknownError, .timeout, .outOfMemory: return "try again"
        default: return error.localizedDescription
        }
    }

    /// In degrees, with the vectors of Core Graphics.
    private static func angle(_ first: CGPoint, _ middle: CGPoint, _ last: CGPoint) -> CGFloat {
        let one = CGVector(dx: first.x - middle.x, dy: first.y - middle.y)
        let other = CGVector(dx: last.x - middle.x, dy: last.y - middle.y)
        let turn = atan2(one.dx * other.dy - one.dy * other.dx, one.dx * other.dx + one.dy * other.dy)
        return abs(turn) * 180 / .pi
    }

    /// In degrees, with the vectors of simd.
    private static func angle(_ first: simd_double2, _ middle: simd_double2, _ last: simd_double2) -> Double {
        let cosine = simd_dot(simd_normalize(first - middle), simd_normalize(last - middle))
        return acos(min(max(cosine, -1), 1)) * 180 / .pi
    }
}

extension simd_double2 {
    fileprivate init(_ point: CGPoint) { self.init(point.x, point.y) }
}
