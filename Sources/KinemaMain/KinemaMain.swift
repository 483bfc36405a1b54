import Foundation
import KinemaCommands

@main
enum KinemaMain {
    static func main() {
        // Before anything makes threads.
        CommandProcess.begin()
        Task { await CommandProcess.run(KinemaCommand.self) }
        RunLoop.main.run()
    }
}
