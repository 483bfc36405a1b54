import Foundation
import KinemaCore
import KinemaMedia

/// One run of the hand models over a frame: the regions of the tracked hands, and parts of the picture to search for
/// further ones. A pass changes no state, so it can run on another thread while the previous frame is being finished.
package struct HandPass: Sendable {
    package struct Result: Sendable {
        /// The hands by number; nil for a hand that is gone.
        fileprivate(set) var hands: [Int: HandLandmarks?] = [:]
        fileprivate(set) var palms: [AnchorDetection] = []
        let hasSearched: Bool
        /// The time that searches are timed by.
        let time: TimeInterval
    }

    let frame: VideoFrame
    /// The time that searches are timed by.
    let time: TimeInterval
    let regions: [(id: Int, region: Region)]
    let parts: [Region]
    let detector: AnchorDetector
    let landmarker: HandLandmarker

    private enum Part: Sendable {
        case palms([AnchorDetection])
        case hand(Int, HandLandmarks?)
    }

    /// Runs the models on all cores.
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
