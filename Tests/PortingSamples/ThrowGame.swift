import Dispatch
import Foundation
import KinemaVN

/// A game of throws: the flight and the player in each frame, poses kept for a classifier.
final class ThrowGame {
    private(set) var trajectories: [UUID: VNTrajectoryObservation] = [:]
    private(set) var playerBoxes: [CGRect] = []
    private(set) var stats = PlayerStats()
    private(set) var errors: [Error] = []

    private let trajectoryQueue = DispatchQueue(label: "trajectories", qos: .userInteractive)
    private let detectPlayerRequest = VNDetectHumanBodyPoseRequest()
    private var detectTrajectoryRequest: VNDetectTrajectoriesRequest?

    /// One request for the whole game, since it gathers evidence.
    private func setUpDetectTrajectoriesRequest() {
        guard detectTrajectoryRequest == nil else { return }
        let request = VNDetectTrajectoriesRequest(frameAnalysisSpacing: .zero, trajectoryLength: 15) { request, error in
            self.complete(request, error)
        }
        request.objectMinimumNormalizedRadius = 0.001
        request.objectMaximumNormalizedRadius = 0.5
        detectTrajectoryRequest = request
    }

    private func complete(_ request: VNRequest, _ error: Error?) {
        guard error == nil, let observations = request.results as? [VNTrajectoryObservation] else { return }
        for observation in observations where observation.confidence > 0.9 {
            trajectories[observation.uuid] = observation
        }
    }

    func cameraViewController(
        didReceiveBuffer buffer: CMSampleBuffer, orientation: CGImagePropertyOrientation, looksForPlayer: Bool
    ) {
        let visionHandler = VNImageRequestHandler(cmSampleBuffer: buffer, orientation: orientation, options: [:])
        trajectoryQueue.async {
            self.setUpDetectTrajectoriesRequest()
            do {
                if let trajectoryRequest = self.detectTrajectoryRequest {
                    try visionHandler.perform([trajectoryRequest])
                }
            } catch {
                self.errors.append(error)
            }
        }
        guard looksForPlayer else { return }
        do {
            try visionHandler.perform([detectPlayerRequest])
            if let result = detectPlayerRequest.results?.first as? VNRecognizedPointsObservation {
                playerBoxes.append(humanBoundingBox(for: result))
            }
        } catch {
            errors.append(error)
        }
    }

    /// Waits for the flights of the last frames.
    func finish() { trajectoryQueue.sync {} }

    func humanBoundingBox(for observation: VNRecognizedPointsObservation) -> CGRect {
        var box = CGRect.zero
        guard observation.confidence > 0.6 else {
            return box
        }
        var normalizedBoundingBox = CGRect.null
        guard let points = try? observation.recognizedPoints(forGroupKey: .all) else {
            return box
        }
        for (_, point) in points {
            guard point.confidence > 0.1 else { continue }
            normalizedBoundingBox = normalizedBoundingBox.union(CGRect(origin: point.location, size: .zero))
        }
        if !normalizedBoundingBox.isNull {
            box = normalizedBoundingBox
        }
        stats.storeObservation(observation)
        return box
    }

    /// Speed in picture widths a second, from the flight's chord.
    func speed(of observation: VNTrajectoryObservation) -> Double? {
        guard let first = observation.detectedPoints.first, let last = observation.detectedPoints.last else {
            return nil
        }
        let seconds = CMTimeGetSeconds(observation.timeRange.duration)
        return seconds > 0 ? first.distance(last) / seconds : nil
    }
}

/// The newest poses of a player, first in, first out.
struct PlayerStats {
    var maxPoseObservations = 45
    private(set) var poseObservations = [VNRecognizedPointsObservation]()

    mutating func storeObservation(_ observation: VNRecognizedPointsObservation) {
        if poseObservations.count >= maxPoseObservations {
            poseObservations.removeFirst()
        }
        poseObservations.append(observation)
    }
}

/// The input of an action classifier: sixty poses, zeros where there are fewer.
func prepareInputWithObservations(_ observations: [VNRecognizedPointsObservation]) -> MLMultiArray? {
    let observationsNeeded = 60
    var multiArrayBuffer = [MLMultiArray]()
    for observation in observations.prefix(observationsNeeded) {
        do {
            multiArrayBuffer.append(try observation.keypointsMultiArray())
        } catch {
            continue
        }
    }
    for _ in 0..<max(0, observationsNeeded - observations.count) {
        do {
            let oneFrameMultiArray = try MLMultiArray(shape: [1, 3, 18], dataType: .double)
            try resetMultiArray(oneFrameMultiArray)
            multiArrayBuffer.append(oneFrameMultiArray)
        } catch {
            continue
        }
    }
    return MLMultiArray(concatenating: [MLMultiArray](multiArrayBuffer), axis: 0, dataType: MLMultiArrayDataType.double)
}

private func resetMultiArray(_ array: MLMultiArray, with value: Double = 0) throws {
    let numbers = try UnsafeMutableBufferPointer<Double>(array)
    numbers.initialize(repeating: value)
}
