public import Foundation
public import KinemaCore
public import KinemaMotion

/// Reads poses that Kinema or other programs found earlier: as the sequence of one person for a classifier, or as frames
/// with everyone in them for an analysis.
///
/// It reads Kinema's own JSON Lines (`.jsonl`), OpenPose's BODY_25 as a table of 75 columns (`.csv`), NumPy arrays of
/// frames x joints x 3 (`.npy`) and nested lists of the same shape (`.json`); all of them also compressed with gzip
/// (`.gz`). The joints are MediaPipe's 33, BODY_25's 25, OpenPose's 18 or COCO's 17, each with x, y and confidence, y
/// downwards except in Kinema's own lines. Files of hands hold 21 joints: the wrist, then each finger from the palm to its
/// tip, thumb first.
///
/// Arrays may be of 32 or 64 bit floating point numbers, or of uint8 or uint16, whose full scale is 1. MediaPipe's x and y
/// are shares of the picture; the third number is a confidence, unless some leave 0...1 or all are 0: then it is a depth
/// and ignored. It may also be absent (frames x 33 x 2). A frame of zeros or NaN is nobody.
public struct PoseSequenceReader: Sendable {
    /// Whose joints are read.
    public var subject: ActionSubject
    /// The frame rate of files that do not state one.
    public var rate: Double
    /// The shape of the pictures; nil for what the file states, or 16/9 if it states none.
    public var aspect: AspectRatio?

    /// How much of a file to read.
    public var limits: PoseFileLimits

    /// Makes a reader of bodies or hands; `rate` is the frame rate of files that do not state one, 0.001 to 1000, and
    /// `aspect` the shape of the pictures, if it is not what the file states.
    public init(
        subject: ActionSubject = .body, rate: Double = 30, aspect: AspectRatio? = nil,
        limits: PoseFileLimits = PoseFileLimits()
    ) {
        self.subject = subject
        self.rate = rate
        self.aspect = aspect
        self.limits = limits
    }

    private static let extensions = ["jsonl", "csv", "npy", "json"]

    /// Whether a file's name is that of a pose sequence.
    public static func isSequence(_ url: URL) -> Bool { kind(of: url) != nil }

    /// Whether files of this name state the time of each frame.
    package static func statesTimes(_ url: URL) -> Bool { kind(of: url) == "jsonl" }

    private static func kind(of url: URL) -> String? {
        let bare = url.pathExtension.lowercased() == "gz" ? url.deletingPathExtension() : url
        let fileExtension = bare.pathExtension.lowercased()
        return extensions.contains(fileExtension) ? fileExtension : nil
    }

    /// Reads a file, also through a link: the movement of its most prominent person or hand.
    ///
    /// Throws `unreadableInput` when the file is missing, damaged, in an unknown format, beyond the limits, or holds
    /// invalid positions or times. A position of NaN is a joint that was not seen.
    public func read(contentsOf url: URL) throws(KinemaError) -> PoseSequence {
        var sequence = PoseSequence(subject)
        switch try source(url) {
        case .lines(var lines):
            var selector = ProminentPersonSelector()
            while let frame = try lines.next() {
                let poses = subject == .hand ? frame.hands.map(\.pose) : frame.poses
                let ratio = shape(of: frame).value
                sequence.append(selector.select(poses, at: frame.time), at: frame.time, aspectRatio: ratio)
            }
        case .numbers(var numbers):
            while let row = try numbers.next() {
                // MediaPipe's x and y have different units; those of the others have one.
                let width = row.order == .blazePose33 && numbers.areShares ? (aspect ?? .usual).value : 1
                sequence.append(row.joints(of: subject, width: Float(width)), at: Double(sequence.count) / rate)
            }
        }
        guard sequence.count > 0 else { throw Self.holdsNothing(url) }
        return sequence
    }

    /// Opens a file, also through a link, to read its frames one by one with everyone in them.
    ///
    /// Throws as `read(contentsOf:)` does; damage further on in JSON Lines is found by whoever iterates. Positions beyond
    /// 10 in files of bare numbers are pixels of a picture that just holds all of them.
    public func frames(contentsOf url: URL) throws(KinemaError) -> PoseFileFrames {
        let source = try source(url)
        var first = PoseFileFrames.Iterator(self, source, url: url)
        guard let frame = try first.read() else { throw Self.holdsNothing(url) }
        return PoseFileFrames(
            url: url, frameSize: CGSize(width: frame.width, height: frame.height), reader: self, source: source)
    }

    /// What a file holds, not yet read.
    enum Source: Sendable {
        case lines(PoseLinesReader<[UInt8]>)
        case numbers(PoseNumbers)
    }

    private func source(_ url: URL) throws(KinemaError) -> Source {
        let path = url.path
        guard let kind = Self.kind(of: url) else {
            throw KinemaError(
                .unreadableInput, "is not a pose sequence; give a .jsonl, .csv, .npy or .json file", file: path)
        }
        guard (0.001...1000).contains(rate) else {
            throw KinemaError(.invalidArgument, "\(rate) frames a second are impossible; give 0.001 to 1000")
        }
        var bytes = try BoundedFile.read(url, limit: limits.bytes, excess: "split it")
        if Gzip.isGzip(bytes) {
            bytes = try Gzip.unpack(
                bytes, limit: limits.bytes, ratio: limits.ratio, free: limits.ratioExemptBytes, file: path)
        }
        if kind == "jsonl" { return .lines(PoseLinesReader(bytes, limits, file: path)) }
        return .numbers(
            try PoseNumbers(PoseNumberParser(bytes, kind: kind, of: subject, limits: limits, file: path)))
    }

    /// The shape of the picture of a line of JSON Lines; older lines do not state it.
    func shape(of frame: ExportedFrame) -> AspectRatio {
        aspect ?? AspectRatio(width: frame.width, height: frame.height) ?? .usual
    }

    private static func holdsNothing(_ url: URL) -> KinemaError {
        KinemaError(.unreadableInput, "holds no frames", file: url.path)
    }
}

/// The shape of a picture: its width and height, in any unit that is the same for both.
public struct AspectRatio: Hashable, Sendable {
    /// The width.
    public let width: Int
    /// The height.
    public let height: Int

    /// That of most videos, 16/9.
    public static let usual = AspectRatio(16, 9)

    /// Makes a shape; nil unless both are from 1 to 65536.
    public init?(width: Int, height: Int) {
        let sides = 1...PoseFileLimits().side
        guard sides.contains(width), sides.contains(height) else { return nil }
        self.init(width, height)
    }

    private init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }

    /// The width divided by the height.
    public var value: Double { Double(width) / Double(height) }
}

/// How much of a file of poses is read; larger files are refused before they fill the memory.
public struct PoseFileLimits: Hashable, Sendable {
    /// Bytes of a file, also unpacked: an hour of two people as JSON Lines, a day of one as an array.
    public var bytes = 256 << 20
    /// How many times its compressed size a file may be: lines with people reach 4 to 12, those without up to 50.
    public var ratio = 100
    /// Bytes up to which the ratio does not matter: half an hour of an array of zeros.
    public var ratioExemptBytes = 16 << 20
    /// Bytes of one line of JSON Lines: a thousand people with 33 joints in the picture and in space.
    public var lineBytes = 4 << 20
    /// Frames: nine hours at 30 a second.
    public var frames = 1_000_000
    /// Pixels of a picture's side: four times the widest that exist.
    public var side = 65_536

    /// Makes the standard limits.
    public init() {}
}
