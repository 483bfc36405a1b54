package import Foundation
package import KinemaCore

/// Decodes JPEG pictures that arrive one at a time, in this process or a separate one. For one thread at a time.
package enum JPEGFrameDecoder {
    case own(JPEGDecoder)
    case isolated(IsolatedJPEGDecoder)

    /// Makes a decoder for pictures up to a width and height in pixels; throws `.missingComponent` if FFmpeg has none.
    package init(_ isolation: DecoderIsolation, maximumWidth: Int, maximumHeight: Int) throws(KinemaError) {
        switch isolation {
        case .none: self = .own(try JPEGDecoder(maximumWidth: maximumWidth, maximumHeight: maximumHeight))
        case .process(let executable):
            self = .isolated(
                IsolatedJPEGDecoder(executable: executable, maximumWidth: maximumWidth, maximumHeight: maximumHeight))
        }
    }

    /// Decodes a picture into an upright frame; throws as `JPEGDecoder.frame` does.
    package func frame(_ jpeg: Data, id: TemporalSegmentIdentifier) throws(KinemaError) -> VideoFrame {
        switch self {
        case .own(let decoder): try decoder.frame(jpeg, id: id)
        case .isolated(let decoder): try decoder.frame(jpeg, id: id)
        }
    }
}
