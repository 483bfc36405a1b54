public import Foundation
public import KinemaCore

extension VideoReader: Transformer {
    /// The frames of one video or picture file, the same as `read(contentsOf:)`.
    public func applied(to input: URL, eventHandler: EventHandler? = nil) async throws -> AsyncFrames {
        try await Self.read(contentsOf: input)
    }

    /// Opens several annotated video or picture files and keeps the annotations; each is read when it is iterated.
    ///
    /// Throws `KinemaError` with code `unreadableInput` for the first file that is missing, damaged or holds no picture.
    public static func read<S, Annotation>(
        _ files: S
    ) async throws -> [AnnotatedFeature<AsyncFrames, Annotation>]
    where S: Sequence, S.Element == AnnotatedFeature<URL, Annotation> {
        let files = Array(files)
        return zip(try await read(files.map(\.feature)), files).map { frames, file in
            AnnotatedFeature(feature: frames, annotation: file.annotation)
        }
    }
}
