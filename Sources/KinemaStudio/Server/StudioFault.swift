import Foundation
import KinemaCore

/// Why a studio does not start.
enum StudioFault {
    case openDoor(String)
    case badHostName(String)
    case portInUse(Int)
    case portForbidden(Int)
    case badAddress(String)
    case pageMissing
    case pageUnreadable(String)

    /// The fault in one line.
    var error: KinemaError {
        switch self {
        case .openDoor(let host):
            KinemaError(.invalidArgument, "others can reach \(host): a token is needed; leave --no-token out")
        case .badHostName(let name):
            KinemaError(.invalidArgument, "\(name) is no name of a host; write NAME or NAME:PORT")
        case .portInUse(let port):
            KinemaError(.unsupported, "port \(port) is in use; name another by --port, or 0 for any that is free")
        case .portForbidden(let port):
            KinemaError(.unsupported, "port \(port) is not for ordinary users; name one from 1024 on by --port")
        case .badAddress(let host):
            KinemaError(.invalidArgument, "cannot listen on \(host): it is no address of this machine")
        case .pageMissing:
            KinemaError(
                .missingComponent,
                "the studio's page is missing: keep \(PageFolder.bundleName) beside the command, or build again")
        case .pageUnreadable(let path):
            KinemaError(.missingComponent, "the studio's page cannot be read; build again", file: path)
        }
    }
}
