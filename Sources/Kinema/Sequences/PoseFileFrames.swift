package import Foundation
public import KinemaCore
import KinemaMedia

/// The frames of a pose file with everyone in them, black without an image; they can be iterated repeatedly.
public struct PoseFileFrames: TemporalSequence, Sendable {
    /// A frame with its poses.
    public typealias Feature = PosedFrame

    /// The file.
    package let url: URL
    /// The size of the first frame: in pixels where the file states it, otherwise the terms of its aspect ratio.
    package let frameSize: CGSize
    let reader: PoseSequenceReader
    let source: PoseSequenceReader.Source

    /// Known for arrays and tables.
    public var count: Int? { source.properties.count }
    package var note: String? { source.properties.note }
    package var statesTimes: Bool { source.properties.statesTimes }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { Iterator(reader, source, url: url) }

    /// Reads the frames in order.
    public struct Iterator: AsyncIteratorProtocol {
        struct Moment {
            var tick: Int
            var width: Int, height: Int
            var poses: [Pose]
            var hands: [HumanHandPoseObservation] = []
        }

        private let reader: PoseSequenceReader
        private var source: PoseSequenceReader.Source
        private let path: String
        private var pending: Moment?
        private var (first, last, count) = (0, 0, 0)

        /// Ticks a second: lines state times to a millionth.
        private static let timescale = 1_000_000

        init(_ reader: PoseSequenceReader, _ source: PoseSequenceReader.Source, url: URL) {
            (self.reader, self.source, path) = (reader, source, url.path)
        }

        /// The next frame with everyone in it; nil after the last. Throws `unreadableInput`, CancellationError.
        public mutating func next() async throws -> TemporalFeature<PosedFrame>? {
            try Task.checkCancellation()
            var current = pending
            if current == nil, count == 0 { current = try read() }
            guard let current else { return nil }
            pending = try read()
            let id = TemporalSegmentIdentifier(
                source: path, range: current.tick..<(pending?.tick ?? end), timescale: Self.timescale)
            let frame = VideoFrame(width: current.width, height: current.height, id: id)
            return TemporalFeature(
                id: id, feature: PosedFrame(frame: frame, poses: current.poses, hands: current.hands))
        }

        /// The end of the last frame, which lasts as long as the average, or a second if it is the only one.
        private var end: Int {
            guard source.properties.statesTimes else { return tick(Double(count) / reader.rate) }
            return last + (count > 1 ? Int((Double(last - first) / Double(count - 1)).rounded()) : Self.timescale)
        }

        private func tick(_ time: TimeInterval) -> Int { Int(clamping: time * reader.speed * Double(Self.timescale)) }

        mutating func read() throws(KinemaError) -> Moment? {
            guard var moment = try readSource() else { return nil }
            // Two times may be closer than a tick.
            if count > 0 { moment.tick = Swift.max(moment.tick, last + 1) } else { first = moment.tick }
            (last, count) = (moment.tick, count + 1)
            return moment
        }

        private mutating func readSource() throws(KinemaError) -> Moment? {
            switch source {
            case .lines(var lines):
                let frame = try lines.next()
                source = .lines(lines)
                guard let frame else { return nil }
                let shape = reader.shape(of: frame)
                return Moment(
                    tick: tick(frame.time), width: shape.width, height: shape.height, poses: frame.poses,
                    hands: frame.hands)
            case .numbers(var numbers):
                let row = try numbers.next()
                source = .numbers(numbers)
                guard let row else { return nil }
                let picture = numbers.picture(reader.aspect)
                let pose = row.pose(width: picture.width, height: picture.height)
                let hand = row.order == .hand21
                return Moment(
                    tick: tick(Double(count) / reader.rate), width: picture.shape.width, height: picture.shape.height,
                    poses: hand ? [] : [pose].compactMap(\.self),
                    hands: hand ? [pose].compactMap(\.self).map { HumanHandPoseObservation($0, chirality: nil) } : [])
            case .table(let table):
                guard count < table.frames.count else { return nil }
                let frame = table.frames[count]
                return Moment(
                    tick: tick(frame.time ?? 0), width: frame.width, height: frame.height,
                    poses: frame.people.map(table.pose))
            }
        }
    }
}
