import Foundation
import KinemaVN

/// A ball's flight with the older API: a lazy request with a handler, which keeps what flies to the right.
class TrajectoryHandler {
    var paths: [UUID: [VNPoint]] = [:]
    var radii: [CGFloat] = []
    private lazy var detectTrajectoryRequest: VNDetectTrajectoriesRequest = {
        let request = VNDetectTrajectoriesRequest(
            frameAnalysisSpacing: CMTime.zero, trajectoryLength: 6, completionHandler: completionHandler)
        request.regionOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)
        return request
    }()

    func processFrame(_ sampleBuffer: CMSampleBuffer) {
        let requestHandler = VNImageRequestHandler(cmSampleBuffer: sampleBuffer)
        do {
            try requestHandler.perform([detectTrajectoryRequest])
        } catch {
            print(error.localizedDescription)
        }
    }

    func completionHandler(request: VNRequest, error: Error?) {
        if let e = error {
            print(e)
            return
        }
        guard let observations = request.results as? [VNTrajectoryObservation] else { return }
        for path in observations where path.confidence > 0.9 {
            guard let first = path.detectedPoints.first, let last = path.detectedPoints.last else { continue }
            paths[path.uuid, default: []].append(last)
            radii.append(path.movingAverageRadius)
            if last.x < first.x {
                paths[path.uuid] = nil
            }
        }
    }
}
