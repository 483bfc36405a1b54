import Foundation
import KinemaVN

/// A camera's delegate that looks for the tips of thumb and index finger, with the keys of 2020.
final class HandPoseCapture {
    private(set) var tips: [(thumb: CGPoint?, index: CGPoint?)] = []
    private(set) var lastError: Error?
    private var handPoseRequest = VNDetectHumanHandPoseRequest()

    init() {
        handPoseRequest.maximumHandCount = 1
    }

    func captureOutput(didOutput sampleBuffer: CMSampleBuffer) {
        var thumbTip: CGPoint?
        var indexTip: CGPoint?

        defer {
            tips.append((thumbTip, indexTip))
        }

        let handler = VNImageRequestHandler(cmSampleBuffer: sampleBuffer, orientation: .up, options: [:])
        do {
            try handler.perform([handPoseRequest])
            guard let observation = handPoseRequest.results?.first as? VNRecognizedPointsObservation else {
                return
            }
            let thumb = try observation.recognizedPoints(forGroupKey: .handLandmarkRegionKeyThumb)
            let index = try observation.recognizedPoints(forGroupKey: .handLandmarkRegionKeyIndexFinger)
            guard let thumbPoint = thumb[.handLandmarkKeyThumbTIP], let indexPoint = index[.handLandmarkKeyIndexTIP]
            else {
                return
            }
            guard thumbPoint.confidence > 0.3 && indexPoint.confidence > 0.3 else {
                return
            }
            // Views count from the top.
            thumbTip = CGPoint(x: thumbPoint.location.x, y: 1 - thumbPoint.location.y)
            indexTip = CGPoint(x: indexPoint.location.x, y: 1 - indexPoint.location.y)
        } catch {
            lastError = error
        }
    }
}

/// Pinched or apart, once a few frames in a row say so.
final class PinchProcessor {
    enum State { case possiblePinch, pinched, possibleApart, apart, unknown }

    private(set) var state = State.unknown
    private let pinchMaxDistance: CGFloat
    private let evidenceCounterStateTrigger: Int
    private var pinchEvidenceCounter = 0
    private var apartEvidenceCounter = 0

    init(pinchMaxDistance: CGFloat = 40, evidenceCounterStateTrigger: Int = 3) {
        self.pinchMaxDistance = pinchMaxDistance
        self.evidenceCounterStateTrigger = evidenceCounterStateTrigger
    }

    func reset() {
        state = .unknown
        pinchEvidenceCounter = 0
        apartEvidenceCounter = 0
    }

    func process(thumbTip: CGPoint, indexTip: CGPoint) {
        if hypot(thumbTip.x - indexTip.x, thumbTip.y - indexTip.y) < pinchMaxDistance {
            (pinchEvidenceCounter, apartEvidenceCounter) = (pinchEvidenceCounter + 1, 0)
            state = pinchEvidenceCounter >= evidenceCounterStateTrigger ? .pinched : .possiblePinch
        } else {
            (pinchEvidenceCounter, apartEvidenceCounter) = (0, apartEvidenceCounter + 1)
            state = apartEvidenceCounter >= evidenceCounterStateTrigger ? .apart : .possibleApart
        }
    }
}
