internal import KinemaCore

struct ConnectAnswer: Codable {
    var address: String?
    var failure: KinemaError?
}
