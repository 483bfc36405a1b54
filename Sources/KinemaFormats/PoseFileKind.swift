import KinemaMotion
package import Foundation
public import KinemaCore
public import KinemaMedia

/// The kind of a pose file, recognised by its first bytes and only then by its name.
enum PoseFileKind: String {
    /// JSON, one value per line.
    case lines = "jsonl"
    /// JSON, one value.
    case document = "json"
    case table = "csv"
    case array = "npy"
    case archive = "npz"
    case markers = "trc"

    /// The number of bytes examined: more than a table's header line.
    static let headBytes = 1 << 16

    /// The kind by the name; nil if there is none, or the file begins as one that is no pose file: a page of a sign-in
    /// that was saved as a table, or a video.
    init?(named url: URL) {
        if let head = BoundedFile.head(of: url, count: 32), ForeignFile.holdsNoPoses(head) { return nil }
        let bare = PackedFile.endings.contains(url.pathExtension.lowercased()) ? url.deletingPathExtension() : url
        self.init(rawValue: bare.pathExtension.lowercased())
    }

    /// The kind of a file that begins with these unpacked bytes; nil if they hold no poses. `isWhole` means that no
    /// more follow.
    init?(_ head: [UInt8], isWhole: Bool, name: PoseFileKind? = nil) {
        if NumpyArray.isArray(head) {
            self = .array
        } else if NumpyArchive.isArchive(head) {
            self = .archive
        } else if head.starts(with: "PathFileType".utf8) {
            self = .markers
        } else if let first = head.first(where: { !Self.spaces.contains($0) }), Self.brackets.contains(first) {
            self = name == .lines || Self.isLines(head) ? .lines : .document
        } else if Self.isTable(head, isWhole: isWhole) {
            self = .table
        } else {
            return nil
        }
    }

    private static let spaces: Set<UInt8> = [32, 9, 10, 13, 0xEF, 0xBB, 0xBF]
    private static let brackets = Array("[{".utf8)

    /// Whether each line is a JSON value: the first one is, and another one begins after it.
    private static func isLines(_ head: [UInt8]) -> Bool {
        var lines = ByteLines(head)
        guard let (_, first) = lines.next() else { return false }
        let text = first.drop { spaces.contains($0) }
        guard let next = lines.next() else {
            // A single line counts if it is one of ours, with a time and people, and no table of columns.
            return ["{\"frame\":", "{\"time\":"].contains { start in
                let value = text.dropFirst(start.utf8.count).first { !spaces.contains($0) }
                return text.starts(with: start.utf8) && !brackets.contains(value ?? 0)
            }
        }
        let follows = next.text.first { !spaces.contains($0) }
        return follows.map(brackets.contains) == true && JSONElements.isWhole(text)
    }

    /// Whether a text has lines of cells that name joints, or whose count of numbers fits a joint order.
    private static func isTable(_ head: [UInt8], isWhole: Bool) -> Bool {
        var lines = ByteLines(head)
        guard let (_, first) = lines.next(), first.count < head.count || isWhole, !first.contains(0) else {
            return false
        }
        let format = TableFormat(first)
        let cells = format.cells(first)
        var rest = lines
        let head = TableHead(cells, format, &rest)
        if head.people.contains(where: { PoseColumns($0) != nil }) || LongColumns(cells) != nil { return true }
        let row = lines.next().map { format.cells($0.text) } ?? cells
        let isRow = [ActionSubject.body, .hand].contains { NumberRow(row.count, of: $0) != nil }
        return isRow && row.allSatisfy { format.number($0) != nil }
    }
}

/// The limits for pose files; larger ones are refused before they fill the memory.
package struct PoseFileLimits: Hashable, Sendable {
    /// Bytes of a file, also unpacked: an hour of two people as JSON Lines, a day of one as an array.
    package var bytes = 256 << 20
    /// The maximum compression ratio: lines with people reach 4 to 12, those without up to 50.
    package var ratio = 100
    /// Bytes up to which the ratio does not matter: half an hour of an array of zeros.
    package var ratioExemptBytes = 16 << 20
    /// Bytes of one line of JSON Lines: a thousand people with 33 joints in the picture and in space.
    package var lineBytes = 4 << 20
    /// Frames: nine hours at 30 a second.
    package var frames = 1_000_000
    /// Pixels of a picture's side: four times the widest that exist.
    package var side = 65_536

    package init() {}
}

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
