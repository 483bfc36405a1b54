import Foundation
import Kinema
import KinemaVN

// Pictures as apps cut, mask and describe them; the pool, the options and the pixel format are Apple's.

/// Poses of the people in image files.
let posesInStills = ImageReader().appending(HumanBodyPoseExtractor())

/// Cuts people out of the samples of a film.
final class Cutter {
    private let context = CIContext(options: [.useSoftwareRenderer: false, .cacheIntermediates: false])
    private let handler = VNSequenceRequestHandler()
    private(set) var masks: [CVPixelBuffer] = []
    private(set) var portraits: [CGImage] = []

    private lazy var segmentation: VNGeneratePersonSegmentationRequest = {
        let request = VNGeneratePersonSegmentationRequest(completionHandler: keep(request:error:))
        request.qualityLevel = .fast
        request.outputPixelFormat = kCVPixelFormatType_OneComponent32Float
        return request
    }()

    func cut(_ samples: [CMSampleBuffer]) throws {
        for sample in samples {
            try autoreleasepool {
                guard let buffer = CMSampleBufferGetImageBuffer(sample) else { return }
                let people = VNDetectHumanRectanglesRequest()
                people.upperBodyOnly = false
                try handler.perform([segmentation, people], on: buffer)
                guard let person = people.results?.first else { return }
                let image = CIImage(cvPixelBuffer: buffer)
                guard let whole = context.createCGImage(image, from: image.extent) else { return }
                var box = VNImageRectForNormalizedRect(person.boundingBox, whole.width, whole.height)
                box.origin.y = CGFloat(whole.height) - box.maxY
                if let portrait = whole.cropping(to: box) { portraits.append(portrait) }
            }
        }
    }

    private func keep(request: VNRequest, error: Error?) {
        guard let observation = request.results?.first as? VNPixelBufferObservation else { return }
        masks.append(observation.pixelBuffer)
    }
}

/// The bend of a knee in degrees, 0 for a straight leg, and the person as text.
func bendOfKnee(of body: HumanBodyPose3DObservation) -> (degrees: Float, text: String)? {
    let joints = body.allJoints(in: .leftLeg)
    guard let hip = joints[.leftHip], let knee = joints[.leftKnee], let ankle = joints[.leftAnkle] else { return nil }
    let (upper, lower) = (knee.position[3].xyz - hip.position[3].xyz, ankle.position[3].xyz - knee.position[3].xyz)
    guard simd_length_squared(upper) > 0, simd_distance_squared(knee.position[3].xyz, ankle.position[3].xyz) > 0
    else { return nil }
    let cosine = simd_dot(simd_normalize(upper), simd_normalize(lower))
    return (acos(simd_clamp(cosine, -1, 1)) * 180 / .pi, body.description)
}

extension SIMD4 where Scalar == Float {
    fileprivate var xyz: SIMD3<Float> { SIMD3(x, y, z) }
}
