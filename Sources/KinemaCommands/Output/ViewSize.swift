import ArgumentParser
import Foundation
import KinemaMedia

struct ViewSize: ExpressibleByArgument, Sendable {
    let width, height: Double

    init?(argument: String) {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0,
            width.isFinite, height.isFinite
        else { return nil }
        (self.width, self.height) = (width, height)
    }
}
