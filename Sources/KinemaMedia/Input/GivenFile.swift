import Foundation
import KinemaCore

/// A file or pipe for a decoder process, opened by a process that may open files.
struct GivenFile {
    let descriptor: Int32
    /// An empty file for the bytes of a pipe; the descriptor itself if none is needed.
    let scratch: Int32

    init(descriptor: Int32, scratch: Int32) { (self.descriptor, self.scratch) = (descriptor, scratch) }

    /// Opens a file or uses standard input; makes the empty file for pipes. The caller closes it.
    init(_ input: MediaInput) throws(KinemaError) {
        descriptor = try ByteSourceHandle.open(input)
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        scratch = isFile ? descriptor : ByteSourceHandle.temporaryFile() ?? descriptor
    }

    /// Whether the whole input is available: a file, not a pipe.
    var isComplete: Bool { scratch == descriptor }

    func close() {
        if scratch != descriptor { Foundation.close(scratch) }
        if descriptor != STDIN_FILENO { Foundation.close(descriptor) }
    }
}
