import Foundation
import KinemaCommands
import KinemaStudioCommands

@main
enum KinemaStudioMain {
    static func main() {
        // Before anything makes threads.
        CommandProcess.begin()
        Task { await CommandProcess.run(KinemaStudioCommand.self) }
        RunLoop.main.run()
    }
}
