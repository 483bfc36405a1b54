import ArgumentParser
import KinemaCore

enum ExitStatus: Int32 {
    case done = 0
    case failed = 1
    case nothingFound = 2
    case wrongUsage = 64
    case unreadableInput = 65
    case interrupted = 130

    init(_ error: KinemaError) {
        switch error.code {
        case .unreadableInput: self = .unreadableInput
        case .invalidArgument: self = .wrongUsage
        case .unwritableOutput, .missingComponent, .unsupported, .analysisFailed: self = .failed
        }
    }

    var exitCode: ExitCode { ExitCode(rawValue) }
}
