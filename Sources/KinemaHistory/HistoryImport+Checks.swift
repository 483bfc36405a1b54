import KinemaHTTP
import KinemaCounting
import KinemaLearning
import Foundation
import Kinema

extension HistoryImport {
    /// Characters of a name or code.
    private static let textLength = 300
    /// The longest session, seconds: eleven days.
    private static let mostSeconds = 1_000_000.0
    /// The years of a session; five digits would not sort as text.
    private static let years = 1970...2200

    mutating func check(_ item: Item) throws(KinemaError) {
        _ = try session(item)
        if let poses = item.poses {
            let lines: [UInt8]
            do throws(KinemaError) {
                lines = try Gzip.unpack(
                    try zip.content(poses, atMost: Self.poses.bytes), limit: Self.poses.bytes, ratio: Self.poses.ratio,
                    free: unratedBytes, file: path)
                unratedBytes -= min(unratedBytes, lines.count)
                guard Self.blankLines(lines) <= 1000 else { throw refusal("consists mostly of empty lines") }
                var reader = PoseLinesReader(lines, Self.poses, file: path)
                while let frame = try reader.next() {
                    guard Self.isPlausible(frame) else { throw refusal("frame \(frame.index) shows too many people") }
                    try checkCancellation()
                }
            } catch {
                throw refusal("\(poses.name): \(error.message)")
            }
        }
        if let (video, kind) = item.video {
            guard !video.isDeflated, video.size <= LiveLimits().uploadBytes,
                VideoSignature.browserKind(of: try zip.beginning(video, VideoSignature.length)) == kind
            else { throw refusal("\(video.name) is not a video of that type, or is too large") }
        }
    }

    private static func isPlausible(_ frame: ExportedFrame) -> Bool {
        let figures = frame.poses + frame.hands.map(\.pose)
        return frame.poses.count <= SessionLimits.inFrame && frame.hands.count <= SessionLimits.inFrame
            && figures.allSatisfy {
                $0.keypoints.count <= SessionLimits.inFrame && $0.keypoints3D.count <= SessionLimits.inFrame
            }
    }

    private static func blankLines(_ text: [UInt8]) -> Int {
        let end = UInt8(ascii: "\n")
        var (count, before) = (0, end)
        for byte in text {
            if byte == end, before == end { count += 1 }
            // A line of spaces is blank.
            if byte > 0x20 || byte == end { before = byte }
        }
        return count
    }

    func check(_ entry: ZipReader.Entry, _ scratch: HistoryFolder) throws(KinemaError) {
        let file = try scratch.begin()
        do { try file.handle.write(contentsOf: Data(try zip.content(entry, atMost: Self.modelBytes))) } catch {
            throw error as? KinemaError ?? KinemaError.unwritable(scratch.url.path, error)
        }
        let model: HumanActionClassifier
        do { model = try HumanActionClassifier(contentsOf: file.url) } catch {
            throw refusal("\(entry.name): \(error.message)")
        }
        guard model.classes.count <= StudioLimits().trainingClasses, model.classes.allSatisfy(SessionAnnotation.isLabel)
        else { throw refusal("\(entry.name) has too many classes, or one without a name") }
    }

    func check(_ entry: ZipReader.Entry, _ known: HistoryArchive.Description.Exercise) throws(KinemaError) {
        let bytes = try zip.content(entry, atMost: StudioLimits().jsonBytes)
        guard let found = try? ExerciseLibrary.read(Data(bytes), file: path), found.map(\.name) == [known.name],
            ExerciseShelf.name(known.name) == known.name,
            known.origin?.person.map(SessionAnnotation.isLabel) != false
        else { throw refusal("contains \(ZipReader.shown(entry.name)), which is not an exercise of that name") }
    }

    // MARK: A session

    /// A session of the archive; throws if anything in it is invalid.
    func session(_ item: Item) throws(KinemaError) -> StoredSession {
        let bytes = try zip.content(item.session, atMost: SessionLimits.bytes)
        // Check before decoding, which takes many times the size in memory.
        guard Self.values(in: bytes) <= SessionLimits.values else {
            throw refusal("contains \(item.session.name), which has more than \(SessionLimits.values) values")
        }
        guard var session = try? JSONDecoder().decode(StoredSession.self, from: Data(bytes)), session.id == item.id
        else {
            throw refusal("contains \(item.session.name), which is not a session")
        }
        do throws(KinemaError) {
            for annotation in session.annotations { session.set(try annotation.checked(duration: session.duration)) }
        } catch {
            throw refusal("\(item.session.name): \(error.message)")
        }
        guard session.plan?.isValid != false, session.turn?.isValid != false, session.view?.isValid != false,
            Self.isSound(session),
            Self.holdsOnlyNames(bytes),
            [session.exercise, session.model].compactMap(\.self).allSatisfy({
                $0.count <= 100 && !$0.unicodeScalars.contains(where: PlainText.isHidden)
            }),
            session.drawing.map({ $0.utf8.count <= SessionLimits.drawing && DrawingCheck.accepts($0) }) != false
        else { throw refusal("contains \(item.session.name), which is invalid") }
        if let fault = session.listFault { throw refusal("contains \(item.session.name), which \(fault)") }
        session.video = item.video.map { SessionVideo(type: $0.kind, bytes: $0.entry.size) }
        return session
    }

    /// An upper bound of the number of JSON values: one after each comma and opening bracket outside strings.
    private static func values(in json: [UInt8]) -> Int {
        var (count, isText, isEscaped) = (1, false, false)
        for byte in json {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isText
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): if !isText { count += 1 }
            default: break
            }
        }
        return count
    }

    private static func isSound(_ session: StoredSession) -> Bool {
        let year = Calendar(identifier: .gregorian).component(.year, from: session.date)
        return (0...mostSeconds).contains(session.duration) && years.contains(year)
            && [session.count, session.people].allSatisfy { (0...1_000_000).contains($0) }
            && session.segments.allSatisfy { $0.start <= $0.end && (0...1).contains($0.confidence) }
    }

    /// Whether every text but the note and the drawing is short and without control characters.
    private static func holdsOnlyNames(_ json: [UInt8]) -> Bool {
        func isName(_ text: String) -> Bool {
            text.utf8.count <= 4 * textLength && text.count <= textLength
                && !text.unicodeScalars.contains(where: PlainText.isHidden)
        }
        func holds(_ value: Any) -> Bool {
            switch value {
            case let text as String: isName(text)
            case let list as [Any]: list.allSatisfy(holds)
            case let object as [String: Any]:
                object.allSatisfy { name, part in isName(name) && (["note", "drawing"].contains(name) || holds(part)) }
            default: true
            }
        }
        guard let session = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] else { return false }
        return holds(session)
    }
}
