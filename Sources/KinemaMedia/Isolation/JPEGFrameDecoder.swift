package import Foundation
package import KinemaCore

/// Decodes JPEG pictures that arrive one at a time, in this process or in a separate one, which is restarted if a
/// picture kills it. For one thread at a time.
package final class JPEGFrameDecoder {
    /// The decoder in this process; nil for a separate one.
    private let own: JPEGDecoder?
    private let executable: String
    private let width: Int
    private let height: Int
    private var process: DecoderProcess?
    private var deaths = 0

    /// The number of pictures that may kill their decoder; after that none is started.
    private static let mostDeaths = 5

    /// Makes a decoder for pictures up to a width and height in pixels; throws `.missingComponent` if FFmpeg has none.
    package init(_ isolation: DecoderIsolation, maximumWidth: Int, maximumHeight: Int) throws(KinemaError) {
        (width, height) = (maximumWidth, maximumHeight)
        switch isolation {
        case .none:
            executable = ""
            own = try JPEGDecoder(maximumWidth: maximumWidth, maximumHeight: maximumHeight)
        case .process(let path): (executable, own) = (path, nil)
        }
    }

    /// Decodes a picture into an upright frame; throws as `JPEGDecoder.frame` does.
    package func frame(_ jpeg: Data, id: TemporalSegmentIdentifier) throws(KinemaError) -> VideoFrame {
        if let own { return try own.frame(jpeg, id: id) }
        guard let header = JPEGHeader(jpeg) else { throw JPEGDecoder.noPicture }
        guard header.width <= width, header.height <= height else {
            throw .tooLarge(header.width, header.height, limit: (width, height))
        }
        guard deaths < Self.mostDeaths else { throw JPEGDecoder.damaged }
        do {
            return try decoded(jpeg, by: try started(), id)
        } catch let failure as PictureFailure {
            throw failure.error
        } catch {
            process = nil
            deaths += 1
            throw JPEGDecoder.damaged
        }
    }

    /// A picture that cannot be decoded; the process continues.
    private struct PictureFailure: Error {
        var error: KinemaError
    }

    private func decoded(
        _ jpeg: Data, by process: DecoderProcess, _ id: TemporalSegmentIdentifier
    ) throws -> VideoFrame {
        process.take(0)
        process.send(DecoderMessageKind.jpeg.message(Array(jpeg)))
        let message = try process.receive()
        switch message.kind {
        case .picture:
            let (picture, _) = try process.picture(message)
            guard picture.width <= max(width, height), picture.height <= max(width, height) else {
                throw process.protocolViolation()
            }
            return VideoFrame(picture, id: id)
        case .failed: throw PictureFailure(error: try process.decode(KinemaError.self, message))
        default: throw process.protocolViolation()
        }
    }

    private func started() throws(KinemaError) -> DecoderProcess {
        if let process { return process }
        var request = DecoderRequest(source: "pictures", limits: .untrusted)
        request.pictures = DecoderRequest.Size(width: width, height: height)
        let process = try DecoderProcess(executable: executable, request, file: nil, cancellation: CancellationFlag())
        self.process = process
        return process
    }
}
