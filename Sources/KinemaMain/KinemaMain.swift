import Foundation
import KinemaCommands

@main
enum KinemaMain {
    static func main() {
        // Before anything makes threads.
        KinemaCommand.beginProcess()
        Task { await KinemaCommand.runProcess() }
        RunLoop.main.run()
    }
}
