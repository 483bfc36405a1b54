import Foundation
import Kinema
import KinemaCore
import KinemaMedia

struct ClientFrameDecoder {
    private let limits: LiveLimits
    private let source: String
    private let isolation: DecoderIsolation
    private var decoder: JPEGFrameDecoder?

    init(limits: LiveLimits, isolation: DecoderIsolation = .none, source: String) {
        (self.limits, self.isolation, self.source) = (limits, isolation, source)
    }

    mutating func picture(of frame: LiveFrame) throws(LiveProblem) -> VideoFrame {
        switch frame.content {
        case .decoded(let picture): return picture
        case .posed(let seen): return seen.frame
        case .encoded(let picture, let range):
            let id = TemporalSegmentIdentifier(source: source, range: range, timescale: 1_000_000)
            do throws(KinemaError) {
                switch picture {
                case .jpeg(let bytes): return try decodedFrame(bytes, id)
                case .planar(let planes):
                    return try planes.frame(id, maximumWidth: limits.width, maximumHeight: limits.height)
                }
            } catch {
                throw Self.problem(error, frame.sequence)
            }
        }
    }

    private mutating func decodedFrame(
        _ bytes: Data, _ id: TemporalSegmentIdentifier
    ) throws(KinemaError) -> VideoFrame {
        let ready: JPEGFrameDecoder
        if let decoder { ready = decoder } else { ready = try makeDecoder() }
        decoder = ready
        return try ready.frame(bytes, id: id)
    }

    private func makeDecoder() throws(KinemaError) -> JPEGFrameDecoder {
        try JPEGFrameDecoder(isolation, maximumWidth: limits.width, maximumHeight: limits.height)
    }

    private static func problem(_ error: KinemaError, _ sequence: UInt32) -> LiveProblem {
        switch error.code {
        case .invalidArgument: LiveProblem(.tooLarge, error.message, sequence: sequence)
        case .missingComponent: LiveProblem(.missingComponent, error.message, sequence: sequence)
        default: LiveProblem(.badFrame, error.message, sequence: sequence)
        }
    }
}
