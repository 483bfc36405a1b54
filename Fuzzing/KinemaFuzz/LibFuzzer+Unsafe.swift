/// libFuzzer's own loop, from the library that `-sanitize=fuzzer` links.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

enum LibFuzzer {
    /// Runs the chosen harness with the process's arguments; returns the exit code.
    static func run() -> CInt {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        // SAFETY: the arguments live as long as the process, and libFuzzer's input as long as the call that receives it.
        return runDriver(&count, &arguments) { bytes, count in
            Harness.chosen?.body([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        }
    }
}
