public import Foundation
import KinemaCore

/// The domain of errors that requests throw.
public let VNErrorDomain = "com.apple.vis"

/// The kinds of failure; the raw values are Vision's, as its header `VNError.h` counts them.
public enum VNErrorCode: Int, Sendable {
    /// The request was cancelled before its turn.
    case requestCancelled = 1
    /// The analysis failed.
    case operationFailed = 3
    /// The region of interest is outside the image.
    case outOfBoundsError = 4
    /// A file could not be written.
    case ioError = 6
    /// The image cannot be decoded.
    case invalidImage = 13
    /// A value is out of range.
    case invalidArgument = 14
    /// A model or the inference library is missing.
    case invalidModel = 15
    /// A stateful request was performed on an image without a time.
    case timeStampNotFound = 18
    /// This system does not support the request.
    case unsupportedRequest = 19

    /// Vision's other kinds, which nothing here reports.
    case turiCoreErrorCode = -1, OK = 0, invalidFormat = 2, invalidOption = 5, missingOption = 7, notImplemented = 8,
        internalError = 9, outOfMemory, unknownError, invalidOperation, unsupportedRevision = 16, dataUnavailable,
        timeout = 20, unsupportedComputeStage, unsupportedComputeDevice
}

/// A failed request, with Vision's domain and code and a message in one line.
///
/// A class, since on Linux `catch let error as NSError` catches nothing else.
public final class VNError: NSError, @unchecked Sendable {
    init(_ code: VNErrorCode, _ message: String) {
        super.init(domain: VNErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: message])
    }

    /// Decodes an error.
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// The error that reports another.
    static func reporting(_ error: any Error) -> VNError {
        if let error = error as? VNError { return error }
        guard let error = error as? KinemaError else {
            return VNError(error is CancellationError ? .requestCancelled : .operationFailed, "\(error)")
        }
        let code: VNErrorCode =
            switch error.code {
            case .unreadableInput: .invalidImage
            case .unwritableOutput: .ioError
            case .missingComponent: .invalidModel
            case .invalidArgument: .invalidArgument
            case .unsupported: .unsupportedRequest
            case .analysisFailed: .operationFailed
            }
        return VNError(code, error.description)
    }
}
