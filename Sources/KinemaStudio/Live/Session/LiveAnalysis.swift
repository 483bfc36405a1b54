import Foundation
import Kinema
import KinemaCore
import KinemaMedia

/// From frames to findings: follows everyone, judges the framing, and lets the mode do the rest.
struct LiveAnalysis: FrameAnalysing {
    private let makeMode: @Sendable (_ aspectRatio: Double) throws -> any LiveMode
    private var mode: (any LiveMode)?
    private var follower: PoseFollower?
    private var framing: FramingJudge?
    private var size = (width: 0, height: 0)
    /// Width by height of the first picture, in whose coordinates the mode thinks.
    private var aspectRatio = 1.0
    private var mostPeople = 0
    /// Whether findings hold what is drawn on the frame.
    private let drawsLayers: Bool
    /// What the client asked for before there was a picture.
    private var early: [DrawingCommand] = []

    /// Makes an analysis; the mode is made when the first picture tells its width by its height.
    init(
        drawsLayers: Bool = false, mode makeMode: @escaping @Sendable (_ aspectRatio: Double) throws -> any LiveMode
    ) {
        self.drawsLayers = drawsLayers
        self.makeMode = makeMode
    }

    mutating func take(_ frame: VideoFrame) async throws -> LiveFindings {
        var mode = try mode ?? begin(frame)
        if size != (frame.width, frame.height) {
            // Who was where says nothing in a picture of another size, as after a phone was turned.
            size = (frame.width, frame.height)
            follower = PoseFollower(mode.pipeline)
        }
        guard let seen = try follower?.follow(frame, searchesLater: true) else { return LiveFindings() }
        mostPeople = max(mostPeople, seen.poses.count)
        // Held by one only while it changes, so that it changes in place.
        self.mode = nil
        defer { self.mode = mode }
        let events = try await mode.take(upright(seen))
        let framed = framing?.take(seen.poses, hands: seen.hands.count, at: frame.time)
        return LiveFindings(
            poses: seen.poses, hands: seen.hands, faults: mode.faults, events: events,
            layers: drawsLayers ? mode.layers : [], state: mode.state ?? framed ?? framing?.state)
    }

    mutating func catchUp() throws { try follower?.catchUp() }

    mutating func obey(_ command: DrawingCommand) {
        if mode == nil { early.append(command) } else { mode?.obey(command) }
    }

    mutating func finish() -> [LiveEvent] { mode?.finish() ?? [] }

    mutating func write(to json: inout JSONText) { mode?.write(to: &json) }

    func summarise(_ session: inout KeptSession) {
        session.people = mostPeople
        mode?.summarise(&session)
    }

    private mutating func begin(_ frame: VideoFrame) throws -> any LiveMode {
        aspectRatio = frame.aspectRatio
        var mode = try makeMode(aspectRatio)
        for command in early { mode.obey(command) }
        early = []
        framing = FramingJudge(mode.wish)
        return mode
    }

    /// The people in coordinates in which a step to the side is as long as in the first picture.
    private func upright(_ seen: PosedFrame) -> PosedFrame {
        let stretch = seen.frame.aspectRatio / aspectRatio
        guard abs(stretch - 1) > 0.01 else { return seen }
        func stretched(_ pose: Pose) -> Pose {
            var pose = pose
            for key in pose.keypoints.keys { pose.keypoints[key]?.location.x *= stretch }
            return pose
        }
        let hands = seen.hands.map { hand in
            var hand = hand
            hand.pose = stretched(hand.pose)
            return hand
        }
        return PosedFrame(frame: seen.frame, poses: seen.poses.map(stretched), hands: hands)
    }
}
