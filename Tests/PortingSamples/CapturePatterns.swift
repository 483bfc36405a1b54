import KinemaVN

// Vision's older API as capture code uses it: settings of a camera, samples at an address, contours that are compared.

/// The settings of a camera's output.
func videoSettings(prefersFullRange: Bool) -> [String: Any] {
    let format =
        prefersFullRange ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_32BGRA
    return [kCVPixelBufferPixelFormatTypeKey as String: Int(format)]
}

/// The mean brightness of a frame, 0...1, read from its samples.
func brightness(of pixelBuffer: CVPixelBuffer) -> Double? {
    CVPixelBufferLockBaseAddress(pixelBuffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixelBuffer, .readOnly) }
    guard CVPixelBufferGetPixelFormatType(pixelBuffer) == kCVPixelFormatType_32BGRA,
        let base = CVPixelBufferGetBaseAddress(pixelBuffer)
    else { return nil }
    let width = CVPixelBufferGetWidth(pixelBuffer)
    let height = CVPixelBufferGetHeight(pixelBuffer)
    let bytesPerRow = CVPixelBufferGetBytesPerRow(pixelBuffer)
    let bytes = base.assumingMemoryBound(to: UInt8.self)
    var sum = 0
    for y in stride(from: 0, to: height, by: 4) {
        for x in stride(from: 0, to: width, by: 4) {
            sum += Int(bytes[y * bytesPerRow + x * 4 + 1])
        }
    }
    let count = ((height + 3) / 4) * ((width + 3) / 4)
    return Double(sum) / Double(count) / 255
}

/// A copy of a pixel buffer in memory of its own, row by row.
func copied(_ source: CVPixelBuffer) -> CVPixelBuffer? {
    var copy: CVPixelBuffer?
    let status = CVPixelBufferCreate(
        kCFAllocatorDefault, CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source),
        CVPixelBufferGetPixelFormatType(source), nil, &copy)
    guard status == kCVReturnSuccess, let copy = copy else { return nil }
    CVPixelBufferLockBaseAddress(source, .readOnly)
    CVPixelBufferLockBaseAddress(copy, CVPixelBufferLockFlags(rawValue: 0))
    defer {
        CVPixelBufferUnlockBaseAddress(copy, [])
        CVPixelBufferUnlockBaseAddress(source, .readOnly)
    }
    guard let from = CVPixelBufferGetBaseAddress(source), let to = CVPixelBufferGetBaseAddress(copy) else { return nil }
    for row in 0..<CVPixelBufferGetHeight(source) {
        memcpy(
            to + row * CVPixelBufferGetBytesPerRow(copy), from + row * CVPixelBufferGetBytesPerRow(source),
            CVPixelBufferGetBytesPerRow(source))
    }
    return copy
}

/// The part of a sample around a player.
func portrait(of sampleBuffer: CMSampleBuffer, around box: CGRect) -> CGImage? {
    guard let imageBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return nil }
    let image = CIImage(cvImageBuffer: imageBuffer)
    let rect = VNImageRectForNormalizedRect(box, Int(image.extent.width), Int(image.extent.height))
    let part = image.cropped(to: rect)
    return CIContext().createCGImage(part, from: part.extent)
}

/// Finds a board's rim and what lies on it.
final class BoardFinder {
    private(set) var boardContour: VNContour?
    private(set) var others: Set<VNContour> = []

    func find(in pixelBuffer: CVPixelBuffer) throws {
        let request = VNDetectContoursRequest()
        request.detectsDarkOnLight = true
        try VNImageRequestHandler(cvPixelBuffer: pixelBuffer, orientation: .up, options: [:]).perform([request])
        guard let observation = request.results?.first else { return }
        let contours = try (0..<observation.contourCount).map { try observation.contour(at: $0) }
        boardContour = contours.max { $0.normalizedPath.boundingBox.width < $1.normalizedPath.boundingBox.width }
        for contour in contours where contour != boardContour {
            others.insert(contour)
        }
    }
}

/// Requests by what they are for.
final class RequestQueue {
    private var pending: Set<VNRequest> = []

    func add(_ request: VNRequest) -> Bool {
        request.setComputeDevice(MLComputeDevice.allComputeDevices.first, for: .main)
        return pending.insert(request).inserted
    }

    func runs(on device: (MLComputeDevice) -> Bool) throws -> Bool {
        try pending.allSatisfy { try $0.supportedComputeStageDevices()[.main]?.contains(where: device) == true }
    }
}

/// How a hand-held camera has turned since a first picture, in radians.
func turn(from first: CGImage, to second: CGImage) throws -> Float? {
    let request = VNHomographicImageRegistrationRequest(targetedCGImage: first, options: [:])
    let handler = VNImageRequestHandler(cgImage: second, options: [:])
    try handler.perform([request])
    guard let alignment = request.results?.first as? VNImageHomographicAlignmentObservation else { return nil }
    let warp: matrix_float3x3 = alignment.warpTransform
    return atan2(warp.columns.0.y, warp.columns.0.x)
}

/// Everyone in a picture, cut out one by one.
func cutouts(of image: CGImage) throws -> [CVPixelBuffer] {
    let request = VNGeneratePersonInstanceMaskRequest()
    let handler = VNImageRequestHandler(cgImage: image)
    try handler.perform([request])
    guard let result = request.results?.first else { return [] }
    return try result.allInstances.map { instance in
        try result.generateMaskedImage(
            ofInstances: [instance], from: handler, croppedToInstancesExtent: true)
    }
}

/// A path that grows by the newest projected point of each frame, and ends after frames without an observation.
final class BallPath {
    private(set) var paths: [UUID: [VNPoint]] = [:]
    private(set) var framesWithoutObservation = 0
    private(set) var longestSilence = 0
    private let request: VNDetectTrajectoriesRequest

    init(length: Int) {
        request = VNDetectTrajectoriesRequest(frameAnalysisSpacing: .zero, trajectoryLength: length)
    }

    func process(_ sampleBuffer: CMSampleBuffer) throws {
        try VNImageRequestHandler(cmSampleBuffer: sampleBuffer, orientation: .up).perform([request])
        guard let results = request.results, !results.isEmpty else {
            framesWithoutObservation += 1
            longestSilence = max(longestSilence, framesWithoutObservation)
            return
        }
        framesWithoutObservation = 0
        for path in results where path.confidence > 0.9 {
            if paths[path.uuid] == nil {
                paths[path.uuid] = path.projectedPoints
            } else {
                paths[path.uuid]?.append(path.projectedPoints[4])
            }
        }
    }
}

/// The joints that were found, by the test for a confidence above 0.
func foundJoints(of observation: VNHumanBodyPoseObservation) throws -> [VNHumanBodyPoseObservation.JointName: CGPoint] {
    try observation.recognizedPoints(.all).filter { $0.value.confidence > 0 }.mapValues(\.location)
}
