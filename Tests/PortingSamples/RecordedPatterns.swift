import Foundation
import KinemaVN

// Vision's older names as apps for recorded videos and for still people use them.

/// The poses of a video, gathered by a processor for a classifier.
final class RecordedPoseReader {
    private(set) var poses: [VNRecognizedPointsObservation] = []
    private(set) var frames = 0
    private(set) var lastError: Error?
    private var processor: VNVideoProcessor?

    func read(_ url: URL, seconds: Double, framesPerSecond: Int? = nil) throws -> MLMultiArray {
        processor = VNVideoProcessor(url: url)
        let request = VNDetectHumanBodyPoseRequest { request, error in
            if let error = error {
                self.lastError = error
                return
            }
            if let results = request.results as? [VNRecognizedPointsObservation] {
                self.frames += 1
                self.poses.append(contentsOf: results)
            }
        }
        let options = VNVideoProcessor.RequestProcessingOptions()
        if let rate = framesPerSecond { options.cadence = VNVideoProcessor.FrameRateCadence(rate) }
        try processor?.addRequest(request, processingOptions: options)
        let duration = CMTime(seconds: seconds, preferredTimescale: 600)
        try processor?.analyze(CMTimeRange(start: .zero, duration: duration))
        let arrays: [MLMultiArray] = try poses.map { try $0.keypointsMultiArray() }
        return MLMultiArray(concatenating: arrays, axis: 0, dataType: .float32)
    }
}

/// A point of a path and when it was passed.
struct TimedPoint: Sendable {
    let position: CGPoint
    let timestamp: TimeInterval
}

/// The path of what flew, with its times spread over the observation's time range.
struct FlightPath: Identifiable, Sendable {
    let id: UUID
    let points: [TimedPoint]

    init(from observation: VNTrajectoryObservation) {
        let range = observation.timeRange
        let count = observation.detectedPoints.count
        points = observation.detectedPoints.enumerated().map { index, point in
            let share = count > 1 ? TimeInterval(index) / TimeInterval(count - 1) : 0
            return TimedPoint(
                position: CGPoint(x: CGFloat(point.x), y: CGFloat(1 - point.y)),
                timestamp: range.start.seconds + (range.end.seconds - range.start.seconds) * share)
        }
        id = observation.uuid
    }

    var averageSpeed: CGFloat {
        guard let first = points.first, let last = points.last, last.timestamp > first.timestamp else { return 0 }
        let lengths = zip(points, points.dropFirst()).map {
            hypot($1.position.x - $0.position.x, $1.position.y - $0.position.y)
        }
        return lengths.reduce(0, +) / CGFloat(last.timestamp - first.timestamp)
    }
}

/// A shot's tracer: one handler for the whole sequence and one request with a trailing closure.
final class ShotTracer {
    private(set) var paths: [UUID: FlightPath] = [:]
    private(set) var projected: [CGPoint] = []
    private var trajectoryRequest: VNDetectTrajectoriesRequest!
    private var requestHandler: VNSequenceRequestHandler!

    init() {
        requestHandler = VNSequenceRequestHandler()
        trajectoryRequest = VNDetectTrajectoriesRequest(
            frameAnalysisSpacing: .zero,
            trajectoryLength: 5
        ) { [weak self] request, error in
            self?.handleTrajectoryResults(request, error: error)
        }
        trajectoryRequest.objectMinimumNormalizedRadius = 0.0005
        trajectoryRequest.objectMaximumNormalizedRadius = 0.15
        if #available(iOS 15.0, *) {
            // Ample, so that a busy machine does not lower the resolution.
            trajectoryRequest.targetFrameTime = CMTime(value: 60, timescale: 1)
        }
    }

    func process(_ pixelBuffer: CVPixelBuffer) throws {
        try requestHandler.perform([trajectoryRequest], on: pixelBuffer, orientation: .up)
    }

    private func handleTrajectoryResults(_ request: VNRequest, error: Error?) {
        guard let observations = request.results as? [VNTrajectoryObservation], !observations.isEmpty else {
            return
        }
        for observation in observations where observation.confidence > 0.9 {
            paths[observation.uuid] = FlightPath(from: observation)
            for point in observation.projectedPoints {
                projected.append(CGPoint(x: CGFloat(point.x), y: CGFloat(1 - point.y)))
            }
        }
    }
}

/// Push-ups seen by a front camera: a new request for every sample, the elbow's angle with hysteresis.
final class ElbowCounter {
    private(set) var repetitions = 0
    private(set) var descriptions: [String] = []
    private let sequenceHandler = VNSequenceRequestHandler()
    private var isBent = false

    func captureOutput(didOutput sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation) {
        guard let pixelBuffer = sampleBuffer.imageBuffer else { return }
        let request = VNDetectHumanBodyPoseRequest()
        request.revision = VNDetectHumanBodyPoseRequestRevision1
        do {
            try sequenceHandler.perform([request], on: pixelBuffer, orientation: orientation)
            guard let observation = request.results?.first else { return }
            descriptions.append(observation.description)
            guard let angle = try angle(of: observation) else { return }
            if isBent && angle > 150 { repetitions += 1 }
            isBent = angle < 100 || (isBent && angle <= 150)
        } catch {
            return
        }
    }

    private func angle(of observation: VNHumanBodyPoseObservation) throws -> Double? {
        let points = try observation.recognizedPoints(.rightArm)
        guard let shoulder = points[.rightShoulder], let elbow = points[.rightElbow], let wrist = points[.rightWrist],
            shoulder.confidence > 0.3, elbow.confidence > 0.3, wrist.confidence > 0.3
        else { return nil }
        let upper = simd_float3(Float(shoulder.x - elbow.x), Float(shoulder.y - elbow.y), 0)
        let lower = simd_float3(Float(wrist.x - elbow.x), Float(wrist.y - elbow.y), 0)
        return Double(acos(dot(normalize(upper), normalize(lower)))) * 180 / .pi
    }
}

/// How a person holds themselves, from joints in space.
final class PostureAnalyzer {
    struct BodyJoint {
        let name: VNHumanBodyPose3DObservation.JointName
        let position: CGPoint
        let position3D: SIMD3<Float>
    }

    private typealias Joints = [VNHumanBodyPose3DObservation.JointName: VNHumanBodyRecognizedPoint3D]

    private let sequenceHandler = VNSequenceRequestHandler()

    func analyze(_ sampleBuffer: CMSampleBuffer) -> (joints: [BodyJoint], tilt: Float, distance: Float)? {
        let request = VNDetectHumanBodyPose3DRequest()
        guard (try? sequenceHandler.perform([request], on: sampleBuffer)) != nil, let results = request.results,
            let body = results.max(by: { $0.bodyHeight < $1.bodyHeight })
        else { return nil }
        let all: Joints = (try? body.recognizedPoints(.all)) ?? [:]
        let joints = all.compactMap { name, point -> BodyJoint? in
            guard let inImage = try? body.pointInImage(name) else { return nil }
            return BodyJoint(name: name, position: CGPoint(x: inImage.x, y: inImage.y), position3D: place(point))
        }
        let torso = (try? body.recognizedPoints(.torso)) ?? [:]
        guard let root = torso[.root], let shoulders = torso[.centerShoulder] else { return nil }
        let spine = place(shoulders) - place(root)
        let camera = body.cameraOriginMatrix.columns.3
        return (
            joints, acos(min(abs(spine.y) / simd_length(spine), 1)) * (180 / Float.pi),
            simd_length(SIMD3<Float>(camera.x, camera.y, camera.z))
        )
    }

    /// The joints and what belongs to them as numbers for a file.
    func table(of body: VNHumanBodyPose3DObservation) throws -> [String: [Double]] {
        var rows: [String: [Double]] = [:]
        for name in body.availableJointNames {
            let place: SIMD4<Float> = try body.recognizedPoint(name).position.columns.3
            rows[name.rawValue.rawValue] = [Double(place.x), Double(place.y), Double(place.z)]
        }
        rows["camera"] = (0..<4).flatMap { row in (0..<4).map { Double(body.cameraOriginMatrix[$0][row]) } }
        rows[String(describing: body.heightEstimation)] = [Double(body.bodyHeight)]
        return rows
    }

    private func place(_ point: VNHumanBodyRecognizedPoint3D) -> SIMD3<Float> {
        let column = point.position.columns.3
        return SIMD3<Float>(column.x, column.y, column.z)
    }
}
