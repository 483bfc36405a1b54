/// A command whose options name files to check in advance.
protocol CheckedCommand {
    func check() throws
}
