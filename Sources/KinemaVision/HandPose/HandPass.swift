import Foundation
import KinemaCore
import KinemaMedia

/// One run of the hand models over the tracked hands' regions and the parts to search; it changes no state.
package struct HandPass: Sendable {
    package struct Result: Sendable {
        /// The hands by number; nil for a hand that is gone.
        fileprivate(set) var hands: [Int: HandLandmarks?] = [:]
        fileprivate(set) var palms: [AnchorDetection] = []
        let hasSearched: Bool
        let time: TimeInterval
    }

    let frame: VideoFrame
    let time: TimeInterval
    let regions: [(id: Int, region: Region)]
    let parts: [Region]
    let detector: AnchorDetector
    let landmarker: HandLandmarker

    private enum Part: Sendable {
        case palms([AnchorDetection])
        case hand(Int, HandLandmarks?)
    }

    package func run() throws -> Result {
        // A search takes longest, so it begins first.
        let found = parallel(parts.count + regions.count) { index in
            Swift.Result { () throws -> Part in
                guard index >= parts.count else { return .palms(try detector.detect(in: frame, part: parts[index])) }
                let (id, region) = regions[index - parts.count]
                return .hand(id, try landmarker.hand(in: frame, region))
            }
        }
        var result = Result(hasSearched: !parts.isEmpty, time: time)
        for part in found {
            switch try part.get() {
            case .palms(let palms): result.palms += palms
            case .hand(let id, let hand): result.hands[id] = .some(hand)
            }
        }
        return result
    }
}
