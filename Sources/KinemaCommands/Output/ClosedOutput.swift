/// The reader of standard output has closed the pipe, as `head` does: the command ends with 0, as ripgrep does.
struct ClosedOutput: Error {}
