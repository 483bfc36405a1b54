import Foundation
package import KinemaCore
package import KinemaMedia

/// Finds what is small and moves, frame by frame, whatever it is.
///
/// Each frame, made smaller, is compared with five from the half second before, moved to where the camera looks now.
/// Patches that stand out and are compact are objects. Nothing waits for later frames.
package struct MovingObjectDetector: Sendable {
    /// What one frame shows.
    package struct Sight: Sendable {
        /// Everything small that moves.
        package var objects: [MovingObject] = []
        /// Whether this is another scene than the frame before, after which nothing can be followed.
        package var isNewScene = false
    }

    /// A frame that was seen.
    private struct Past: Sendable {
        let time: TimeInterval
        let picture: SmallPicture
        /// How far the camera had moved everything since the first frame, in small pixels.
        let shift: SIMD2<Double>
    }

    /// How many of a frame's pixels, along either side, are looked at as one; nil until the first frame.
    package private(set) var factor: Int?
    /// The longest side that is looked at, in pixels; less is faster and misses what is smaller.
    package var maximumSide = Self.finestSide

    private var past: [Past] = []
    private var unrest = UnrestMap()
    private var camera = CameraShift()
    private var shift = SIMD2<Double>()
    private var size = (width: 0, height: 0)

    /// Sides of 480 to 960 pixels: a ball of 0.2 m still spans three of them in a view 60 m wide.
    package static let finestSide = 960
    /// How far back the pictures lie that the background is made of, seconds.
    private static let memory = 0.5
    /// A background needs pictures from at least that long, seconds.
    private static let shortestMemory = 0.09

    /// Makes a detector that has seen nothing.
    package init() {}

    /// Takes the stream's next frame.
    package mutating func update(_ frame: VideoFrame) -> Sight {
        var sight = Sight()
        let factor = max(1, (max(frame.width, frame.height) + maximumSide - 1) / maximumSide)
        if factor != self.factor || size != (frame.width, frame.height) {
            sight.isNewScene = self.factor != nil
            self.factor = factor
            size = (frame.width, frame.height)
            past = []
            unrest = UnrestMap()
            camera = CameraShift()
        }
        let now = SmallPicture(frame, factor: factor)
        guard let move = camera.update(now.luma.reduced(by: 4)) else {
            past = [Past(time: frame.time, picture: now, shift: shift)]
            unrest = UnrestMap()
            return Sight(isNewScene: true)
        }
        shift += move * 4
        defer { remember(Past(time: frame.time, picture: now, shift: shift)) }
        guard let background = background(at: frame.time) else { return sight }
        let movement = MovementPicture(of: now, past: background)
        settle(movement, at: frame.time)
        let blobs = BlobFinder.blobs(in: movement)
        let map = ObjectMap(frame, factor: factor, shift: shift)
        sight.objects =
            blobs.compactMap { map.object($0, in: unrest) }
            + Blob.unions(of: blobs).compactMap { map.object($0, in: unrest, isUnion: true) }
        if sight.objects.count > Self.maximumObjects {
            sight.objects.sort { $0.isolation > $1.isolation }
            sight.objects.removeLast(sight.objects.count - Self.maximumObjects)
        }
        return sight
    }

    /// More than that are leaves in the wind or a crowd, of which those most by themselves are kept.
    private static let maximumObjects = 64

    /// Keeps in mind where something moves, for as long as the memory reaches.
    private mutating func settle(_ movement: MovementPicture, at time: TimeInterval) {
        let (before, elapsed) = (past.last?.shift ?? shift, time - (past.last?.time ?? time))
        let move = (
            x: Int(shift.x.rounded()) - Int(before.x.rounded()), y: Int(shift.y.rounded()) - Int(before.y.rounded())
        )
        let fade = min(max(255 * elapsed / Self.memory, 1), 255)
        unrest.update(movement, fade: UInt8(fade), shift: move)
    }

    private mutating func remember(_ picture: Past) {
        past.append(picture)
        let oldest = picture.time - Self.memory
        // One that is older than all of the memory stays, for slow streams.
        while past.count > 5, past[1].time <= oldest { past.removeFirst() }
    }

    /// Five pictures spread over the memory, or over what there is of it.
    private func background(at time: TimeInterval) -> [PastPicture]? {
        guard past.count >= 3, let first = past.first, time - first.time >= Self.shortestMemory else { return nil }
        let span = min(Self.memory, time - first.time)
        var next = past.count - 1
        return (1...5).map { step in
            let wanted = time - span * Double(step) / 5
            while next > 0, past[next].time > wanted + 1e-6 { next -= 1 }
            let move = shift - past[next].shift
            return PastPicture(
                picture: past[next].picture, shift: (Int(move.x.rounded()), Int(move.y.rounded())))
        }
    }
}
