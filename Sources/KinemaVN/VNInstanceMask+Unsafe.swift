public import Foundation
import KinemaCore
import KinemaMedia
import KinemaPorting
public import KinemaVision

/// The pixels of each person in an image.
public final class VNInstanceMaskObservation: VNObservation {
    private let masks: [PersonMask]
    private let width: Int, height: Int

    init(_ masks: [PersonMask], width: Int, height: Int) {
        (self.masks, self.width, self.height) = (masks, width, height)
        super.init(confidence: 1)
    }

    /// The people's numbers, from 1.
    public var allInstances: IndexSet { masks.isEmpty ? [] : IndexSet(integersIn: 1...masks.count) }

    /// A grey image with the number of the person that each pixel shows, 0 where nobody is.
    public var instanceMask: CVPixelBuffer {
        let samples = PixelSamples(width: width, height: height, bytesPerPixel: 1)
        // SAFETY: the samples are not shared yet, and every index is below their count.
        let bytes = UnsafeMutableRawBufferPointer(start: samples.address, count: samples.byteCount)
        for index in 0..<samples.byteCount {
            let best = masks.indices.max { masks[$0].values[index] < masks[$1].values[index] }
            if let best, masks[best].values[index] > 127 { bytes[index] = UInt8(clamping: best + 1) }
        }
        return VideoFrame(samples, id: .inMemory)
    }

    /// A grey image, bright where one of these people is; throws for a number that is not in `allInstances`.
    public func generateMask(forInstances instances: IndexSet) throws -> CVPixelBuffer {
        guard allInstances.isSuperset(of: instances) else {
            throw VNError(.invalidArgument, "the observation has the instances \(Array(allInstances))")
        }
        let samples = PixelSamples(width: width, height: height, bytesPerPixel: 1)
        let bytes = UnsafeMutableRawBufferPointer(start: samples.address, count: samples.byteCount)
        for index in 0..<samples.byteCount { bytes[index] = instances.map { masks[$0 - 1].values[index] }.max() ?? 0 }
        return VideoFrame(samples, id: .inMemory)
    }

    /// The same in the size of the handler's image, which is the size of all masks here.
    public func generateScaledMaskForImage(
        forInstances instances: IndexSet, from requestHandler: VNImageRequestHandler
    ) throws -> CVPixelBuffer { try generateMask(forInstances: instances) }

    /// The handler's image of these people, transparent elsewhere, or only the rectangle around them.
    public func generateMaskedImage(
        ofInstances instances: IndexSet, from requestHandler: VNImageRequestHandler, croppedToInstancesExtent: Bool
    ) throws -> CVPixelBuffer {
        let mask = try generateMask(forInstances: instances).bitmap()
        var picture = try requestHandler.decoded().bitmap()
        guard picture.width == width, picture.height == height else {
            throw VNError(.invalidArgument, "the handler has another image than the one that was analysed")
        }
        var box = (left: width, top: height, right: 0, bottom: 0)
        for row in 0..<height {
            for column in 0..<width {
                let start = (row * width + column) * 4
                let share = Int(mask.pixels[start])
                if share > 127 {
                    box = (
                        min(box.left, column), min(box.top, row), max(box.right, column + 1), max(box.bottom, row + 1)
                    )
                }
                for channel in start..<start + 4 {
                    picture.pixels[channel] = UInt8(Int(picture.pixels[channel]) * share / 255)
                }
            }
        }
        if croppedToInstancesExtent, box.right > box.left {
            picture = picture.part(
                x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top)
        }
        return VideoFrame(bitmap: picture, id: .inMemory)
    }
}

/// Finds the pixels of each person in an image, of those whose pose is found.
public final class VNGeneratePersonInstanceMaskRequest: VNImageBasedRequest {
    /// The one observation of the last performance; empty if nobody was found.
    public var results: [VNInstanceMaskObservation]? { observations as? [VNInstanceMaskObservation] }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        guard try region() == .fullImage else {
            throw VNError(.unsupportedRequest, "people are masked in whole images; leave regionOfInterest as it is")
        }
        var options = BodyPoseOptions()
        options.findsMasks = true
        var tracker = try BodyPoseTracker(options: options, mode: .picture)
        guard try !tracker.update(frame).isEmpty else { return [] }
        let (width, height) = (frame.width, frame.height)
        return [
            VNInstanceMaskObservation(
                tracker.masks(of: frame, width: width, height: height), width: width, height: height)
        ]
    }
}
