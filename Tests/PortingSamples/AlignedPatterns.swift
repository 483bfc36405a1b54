import Foundation
import Kinema

// Vision's Swift API with its rarer names: boxes of any kind, streams of results, two images, pointers, times and turns.

/// The boxes of whatever has one, in pixels of a view.
func frames(of found: [any BoundingBoxProviding], in size: CGSize) -> [CGRect] {
    found.map { $0.boundingBox.toImageCoordinates(size, origin: .upperLeft) }
}

/// The flights in a part of a film, read from a processor's stream.
func flights(in film: URL, from start: Double, seconds: Double) async throws -> Int {
    let processor = VideoProcessor(film)
    let stream = try await processor.addRequest(DetectTrajectoriesRequest(trajectoryLength: 6))
    processor.startAnalysis(
        of: CMTimeRange(
            start: CMTime(seconds: start, preferredTimescale: 600),
            duration: CMTimeMultiplyByFloat64(CMTime(value: 600, timescale: 600), multiplier: seconds)))
    var known: Set<UUID> = []
    for try await observations in stream {
        known.formUnion(observations.map(\.uuid))
    }
    return known.count
}

/// How many of a film's frames show somebody, looking at every nth.
func occupied(in film: URL, every interval: Int) async throws -> (frames: Int, occupied: Int) {
    let processor = VideoProcessor(film)
    let stream = try await processor.addRequest(
        DetectHumanRectanglesRequest(), cadence: .frameInterval(interval))
    processor.startAnalysis()
    var counts = (frames: 0, occupied: 0)
    for try await people in stream {
        counts.frames += 1
        if !people.isEmpty { counts.occupied += 1 }
    }
    return counts
}

/// The shift between two pictures.
func shift(from source: CGImage, to target: CGImage) async throws -> CGVector? {
    let handler = TargetedImageRequestHandler(source: source, target: target)
    let request = TrackTranslationalImageRegistrationRequest()
    guard let alignment = try await handler.perform(request) else { return nil }
    return CGVector(dx: alignment.alignmentTransform.tx, dy: alignment.alignmentTransform.ty)
}

/// The share of a picture that people cover, from the mask's bytes.
func coverage(of image: CGImage) async throws -> Double {
    let request = GeneratePersonSegmentationRequest()
    let mask = try await request.perform(on: image)
    guard mask.pixelFormat == kCVPixelFormatType_OneComponent8 else { return 0 }
    let count = Int(mask.size.width * mask.size.height)
    let covered = mask.withUnsafePointer { pointer in
        UnsafeRawBufferPointer(start: pointer, count: count).count { $0 > 127 }
    }
    return Double(covered) / Double(count)
}

/// What went wrong with a request, in words.
func problem(with url: URL) async -> String? {
    do {
        _ = try await DetectHumanBodyPoseRequest().perform(on: url)
        return nil
    } catch let error as VisionError {
        return error.localizedDescription
    } catch {
        return "something else"
    }
}

/// Steadies a point by mixing it with where it was.
struct SteadyPoint {
    private(set) var position: simd_float2?

    mutating func update(_ point: simd_float2, weight: Float) -> simd_float2 {
        let next = position.map { simd_mix($0, point, simd_float2(repeating: weight)) } ?? point
        position = next
        return next
    }
}

/// The rotation of a bone from its rest direction, as avatars take it.
func rotation(of bone: simd_float3, atRest rest: simd_float3) -> simd_quatf {
    simd_quatf(from: simd_normalize(rest), to: simd_normalize(bone))
}

/// A window of poses as a model's input.
final class PoseWindowInput: MLFeatureProvider {
    let poses: MLMultiArray

    init(poses: MLMultiArray) { self.poses = poses }

    var featureNames: Set<String> { ["poses"] }

    func featureValue(for featureName: String) -> MLFeatureValue? {
        featureName == "poses" ? MLFeatureValue(multiArray: poses) : nil
    }
}

/// The side of each hand, by the name at the top level.
func sides(of hands: [HumanHandPoseObservation]) -> [Chirality: Int] {
    Dictionary(grouping: hands.compactMap(\.chirality)) { $0 }.mapValues(\.count)
}
