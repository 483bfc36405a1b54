import KinemaCommands

@main
enum KinemaMain {
    static func main() async {
        await KinemaCommand.runProcess()
    }
}
