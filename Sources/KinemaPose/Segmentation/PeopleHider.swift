import KinemaSampling
package import KinemaCore
package import KinemaMedia

/// Finds the parts of a stream's frames that are hidden.
///
/// Heads come from the detected bodies and from two detectors, of distant faces, also in parts of the picture, and of near
/// ones. A head that is no longer detected stays hidden where it was for a moment, and so does a silhouette. If
/// there is no silhouette at all, a person may have been missed, so the whole picture is hidden. Around a face outside
/// the silhouettes a body's length is hidden. It tracks people itself, independently of the analysis.
package struct PeopleHider {
    private let hiding: Hiding
    private var bodies: BodyPoseTracker
    private let faces: AnchorDetector, nearFaces: AnchorDetector
    private var heads: [(head: HiddenParts.Head, time: Double)] = []
    /// For each number of people found within the last moment, the newest silhouettes.
    private var silhouettes: [(mask: PersonMask, people: Int, time: Double)] = []
    /// The part of the picture to search next, and the time of the last frame.
    private var nextPart = 0, lastTime: Double?

    /// How long a head or a person stays hidden after the last detection, seconds.
    private static let patience = 0.5
    /// The minimum scores of a face in the picture and in parts of it: lower than for detections used in an analysis, since
    /// hiding too much does less harm; higher in parts, where hands and patterns look as large as faces. A face in the
    /// background of a gym scores 0.84 to 0.91 there, a rendered hand less than this.
    private static let usual: (whole: Float, parts: Float) = (0.45, 0.7)
    /// The same where heads are hidden already.
    private static let further: (whole: Float, parts: Float) = (0.35, 0.5)
    /// The minimum score of a near face, MediaPipe's: below it the ground and shoes look like faces.
    private static let ofNear: Float = 0.5
    /// The time in which all parts of a video's picture are searched, seconds: the longest that a small face stays
    /// visible.
    private static let cycle = 0.1
    /// The factor from the size of a face's box, which ends at the brows, to the radius of the head.
    private static let radiusOfFace = 1.0
    /// How often a picture is searched again for faces after hiding, and how much larger the hidden circles get each
    /// time.
    private static let furtherLooks = 4, growth = 0.4

    /// Prepares the models; throws `.missingComponent` when one is not installed.
    package init(
        _ hiding: Hiding, store: ModelStore = .shared, precision: ModelStore.Precision = .automatic,
        mode: RunningMode = .file
    ) throws {
        self.hiding = hiding
        var options = BodyPoseOptions(searchInterval: 0.2, precision: precision)
        options.findsMasks = hiding != .faces
        bodies = try BodyPoseTracker(options: options, store: store, mode: mode)
        faces = try .faces(store: store, precision: precision)
        nearFaces = try .nearFaces(store: store, precision: precision)
    }

    /// The stream's next frame without what is hidden, in the given size.
    package mutating func hidden(_ frame: VideoFrame, width: Int, height: Int) throws -> Bitmap {
        let parts = try parts(of: frame, width: width, height: height)
        var bitmap = try frame.bitmap(width: width, height: height)
        bitmap.hide(parts)
        guard hiding != .background else { return bitmap }
        // Anything a face detector still finds could be recognised as a face, here and for a moment after.
        for look in 1...Self.furtherLooks {
            let rest = VideoFrame(bitmap: bitmap, id: frame.id)
            var left = try faceHeads(
                in: rest, parts: BodySearch.parts(of: rest.size, shares: [BodySearch.shares[0]]), scale: SIMD2(1, 1),
                isAgain: true)
            // Silhouettes are filled with one colour already.
            left.removeAll { parts.covers($0) }
            for index in left.indices { left[index].radius *= 1 + Self.growth * Double(look) }
            guard !left.isEmpty else { break }
            heads += left.map { ($0, frame.time) }
            bitmap.hide(HiddenParts(.faces, heads: left, mask: nil))
        }
        return bitmap
    }

    mutating func parts(of frame: VideoFrame, width: Int, height: Int) throws -> HiddenParts {
        let poses = try bodies.update(frame)
        let mask = hiding == .faces ? nil : bodies.mask(of: frame, width: width, height: height)
        if hiding == .background { return HiddenParts(.background, heads: [], mask: mask) }
        let scale = SIMD2(Double(width), Double(height)) / frame.size
        let ofBodies = poses.compactMap { HiddenParts.Head($0, width: width, height: height) }
        let seen = ofBodies + (try faceHeads(in: frame, parts: dueParts(of: frame), scale: scale))
        heads.removeAll { known in
            !(0...Self.patience).contains(frame.time - known.time) || seen.contains { $0.touches(known.head) }
        }
        heads += seen.map { ($0, frame.time) }
        guard hiding == .people, let mask else { return HiddenParts(hiding, heads: heads.map(\.head), mask: nil) }
        // A detected body may have no silhouette.
        let isAnybody = mask.values.contains { $0 >= HiddenParts.leastOfPerson }
        var parts = HiddenParts(
            hiding, heads: heads.map(\.head),
            mask: keeping(mask, of: isAnybody ? poses.count : 0, at: frame.time))
        parts.hideBodies(besides: poses, width: width, height: height)
        if silhouettes.allSatisfy({ $0.people == 0 }) {
            let size = SIMD2(Double(width), Double(height))
            parts.heads.append(HiddenParts.Head(center: size / 2, radius: (size * size).sum().squareRoot() / 2))
        }
        return parts
    }

    /// The silhouettes of a frame, and for a moment those of people no longer detected.
    private mutating func keeping(_ mask: PersonMask, of people: Int, at time: Double) -> PersonMask {
        silhouettes.removeAll { $0.people == people || !(0...Self.patience).contains(time - $0.time) }
        let kept = silhouettes.filter { $0.people > people }.reduce(mask) { $0.united(with: $1.mask) }
        silhouettes.append((mask, people, time))
        return kept
    }

    /// The parts of the picture to search now: all in a stream's first frame, then as many as are due.
    private mutating func dueParts(of frame: VideoFrame) -> [Region] {
        // On 70 frames of six recordings the wider parts find no face that the narrow ones miss.
        let parts = BodySearch.parts(
            of: frame.size, shares: frame.isPicture ? BodySearch.pictureShares : [BodySearch.shares[1]])
        let elapsed = lastTime.map { frame.time - $0 } ?? .infinity
        lastTime = frame.time
        let share = elapsed > 0 ? min(1, elapsed / Self.cycle) : 1
        let due = nextPart..<(nextPart + Int((share * Double(parts.count)).rounded(.up)))
        nextPart = due.upperBound % parts.count
        return due.map { parts[$0 % parts.count] }
    }

    private func faceHeads(
        in frame: VideoFrame, parts: [Region], scale: SIMD2<Double>, isAgain: Bool = false
    ) throws -> [HiddenParts.Head] {
        let minimum = isAgain ? Self.further : Self.usual
        var found = try faces.detect(in: frame, threshold: minimum.whole)
        found += try parts.flatMap { try faces.detect(in: frame, part: $0, threshold: minimum.parts) }
        var near = try nearFaces.detect(in: frame, threshold: Self.ofNear)
        if isAgain { near += try parts.flatMap { try nearFaces.detect(in: frame, part: $0, threshold: Self.ofNear) } }
        return (found.merged() + near.merged()).map { face in
            let (low, high) = (SIMD2(face.box.x, face.box.y) * scale, SIMD2(face.box.z, face.box.w) * scale)
            let size = high - low
            return HiddenParts.Head(
                center: (low + high) / 2, radius: Self.radiusOfFace * max(abs(size.x), abs(size.y)))
        }
    }
}

extension BodyLandmarks {
    /// Adds the body's pixels to a mask that is `scale` times as large as the picture.
    func paint(into mask: inout PersonMask, scale: SIMD2<Double>) {
        guard let values = self.mask, region.isValid(for: SIMD2(Double(mask.width), Double(mask.height)) / scale) else {
            return
        }
        let side = BodyLandmarker.input
        // The square's points for the mask's pixel (0, 0), and for a step to the right and down.
        let (origin, right, down) = (
            cell(SIMD2(0.5, 0.5) / scale), cell(SIMD2(1.5, 0.5) / scale), cell(SIMD2(0.5, 1.5) / scale)
        )
        let (column, row) = (right - origin, down - origin)
        let corners = [SIMD2(0.0, 0), SIMD2(1, 0), SIMD2(0, 1), SIMD2(1, 1)].map { region.pixel($0) * scale }
        func span(_ values: [Double], _ limit: Int) -> Range<Int> {
            let low = Int(max(0, min(Double(limit), values.min() ?? 0)))
            return low..<max(low, Int(max(0, min(Double(limit), ((values.max() ?? 0) + 1).rounded(.up)))))
        }
        let columns = span(corners.map(\.x), mask.width)
        for y in span(corners.map(\.y), mask.height) {
            var place = origin + row * Double(y) + column * Double(columns.lowerBound)
            for x in columns {
                defer { place += column }
                let limit = Double(side - 1)
                guard place.x >= 0, place.y >= 0, place.x < limit, place.y < limit else { continue }
                let (left, top) = (Int(place.x), Int(place.y))
                let (a, b) = (Float(place.x) - Float(left), Float(place.y) - Float(top))
                let first = top * side + left
                func value(_ index: Int) -> Float { Float(values[index]) }
                let upper = value(first) * (1 - a) + value(first + 1) * a
                let lower = value(first + side) * (1 - a) + value(first + side + 1) * a
                mask.raise(y * mask.width + x, to: UInt8(upper * (1 - b) + lower * b))
            }
        }
    }

    /// The column and row of the model's input at a pixel of the picture.
    private func cell(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        region.point(pixel) * Double(BodyLandmarker.input) - 0.5
    }
}
