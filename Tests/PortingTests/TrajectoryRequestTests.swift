import Foundation
import Kinema
import KinemaSynth
import KinemaTestSupport
import Testing

/// `DetectTrajectoriesRequest` as code written for Vision uses it, on rendered throws.
@Suite struct TrajectoryRequestTests {
    @Test func `a throw is one observation over its life`() async throws {
        let scene = SynthScene.throwing(seed: 10, size: (640, 360))
        let request = DetectTrajectoriesRequest(trajectoryLength: 10, frameAnalysisSpacing: nil)
        var known: [UUID: TrajectoryObservation] = [:]
        for frame in 0..<scene.frameCount {
            for seen in try await request.perform(on: scene.videoFrame(frame)) {
                #expect(seen.detectedPoints.count == 10 && seen.projectedPoints.count == 5 && seen.confidence > 0.9)
                if let before = known[seen.uuid]?.timeRange, let now = seen.timeRange {
                    #expect(now.end > before.end)
                }
                known[seen.uuid] = seen
            }
        }
        let sure = known.values.filter { $0.confidence > 0.9 }
        let truth = scene.flightTruth()
        #expect(!truth.isEmpty && sure.count <= truth.count)
        for seen in sure { #expect(try seen.survivesCoding()) }
        for flight in truth where flight.end - flight.start > 0.5 {
            let seen = try #require(
                sure.first { seen in
                    guard let range = seen.timeRange else { return false }
                    return range.start.seconds < flight.end - 0.2 && range.end.seconds > flight.start + 0.2
                })
            #expect(abs(Double(seen.equationCoefficients.x) / flight.coefficients[0] - 1) < 0.1)
        }
    }

    @Test func `what is too large or outside is passed over`() async throws {
        let scene = SynthScene.throwing(seed: 10, size: (640, 360))
        let small = DetectTrajectoriesRequest(trajectoryLength: 5)
        small.objectMaximumNormalizedRadius = 0.001
        let aside = DetectTrajectoriesRequest(trajectoryLength: 5)
        aside.regionOfInterest = NormalizedRect(x: 0, y: 0, width: 0.05, height: 0.05)
        for frame in 0..<scene.frameCount {
            #expect(try await small.perform(on: scene.videoFrame(frame)).isEmpty)
            #expect(try await aside.perform(on: scene.videoFrame(frame)).isEmpty)
        }
    }

    @Test func `a region of interest answers in its own coordinates`() async throws {
        let scene = SynthScene.throwing(seed: 10, size: (640, 360))
        let whole = DetectTrajectoriesRequest(trajectoryLength: 8)
        let part = DetectTrajectoriesRequest(trajectoryLength: 8)
        part.regionOfInterest = NormalizedRect(x: 0.1, y: 0.1, width: 0.8, height: 0.85)
        var same = 0
        for frame in 0..<scene.frameCount {
            let picture = scene.videoFrame(frame)
            let everything = try await whole.perform(on: picture).compactMap(\.detectedPoints.last)
            for seen in try await part.perform(on: picture) {
                // The conversion helper leads back to what is seen in the whole picture.
                let last = try #require(seen.detectedPoints.last).inFullImage(from: part.regionOfInterest)
                if everything.contains(where: { abs($0.x - last.x) + abs($0.y - last.y) < 1e-6 }) { same += 1 }
            }
        }
        #expect(same > 10)
    }

    @Test func `a flight is reported once it has as many points as were requested`() async throws {
        let scene = SynthScene.throwing(seed: 10, size: (640, 360))
        let (five, twelve) = (
            DetectTrajectoriesRequest(trajectoryLength: 5), DetectTrajectoriesRequest(trajectoryLength: 12)
        )
        var first: [Int: Int] = [:]
        for frame in 0..<scene.frameCount {
            for request in [five, twelve] {
                let seen = try await request.perform(on: scene.videoFrame(frame))
                #expect(seen.allSatisfy { $0.detectedPoints.count == request.trajectoryLength })
                if !seen.isEmpty, first[request.trajectoryLength] == nil { first[request.trajectoryLength] = frame }
            }
        }
        #expect(five.minimumLatencyFrameCount == 5 && twelve.minimumLatencyFrameCount == 12)
        // The first is reported when it is sure, which may take more than five points.
        #expect(try #require(first[12]) > (try #require(first[5])))
    }

    @Test func `fewer than five points are refused`() async throws {
        let request = DetectTrajectoriesRequest(trajectoryLength: 4)
        let frame = SynthScene.demo.videoFrame(0)
        await #expect(throws: KinemaError.self) { try await request.perform(on: frame) }
    }
}
