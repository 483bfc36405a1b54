import Dispatch
import Foundation
import Synchronization

/// The lines of standard input on demand, each up to a length.
final class JobLinesHandle: Sendable {
    enum Line: Sendable {
        case text([UInt8])
        case tooLong
    }

    private struct State {
        var pending: [UInt8] = []
        /// The number of bytes at the beginning without a line break.
        var searched = 0
        var isTooLong = false, hasEnded = false
    }

    private let descriptor: Int32
    private let longest: Int
    private let state = Mutex(State())
    /// Reading blocks its thread, so it does not use a thread that jobs run on.
    private let queue = DispatchQueue(label: "kinema.jobs.lines", qos: .userInitiated)

    init(_ descriptor: Int32 = STDIN_FILENO, longest: Int) {
        (self.descriptor, self.longest) = (descriptor, longest)
    }

    /// The next line; nil at the end, or soon after `stops` returns true.
    func next(until stops: @escaping @Sendable () -> Bool) async -> Line? {
        await withCheckedContinuation { waiting in
            queue.async {
                waiting.resume(returning: self.state.withLock { self.next(&$0, until: stops) })
            }
        }
    }

    private func next(_ state: inout State, until stops: () -> Bool) -> Line? {
        while true {
            if let line = Self.take(&state, longest: longest) { return line }
            guard !state.hasEnded, !stops() else { return nil }
            if isReadable() { fill(&state) }
        }
    }

    private static func take(_ state: inout State, longest: Int) -> Line? {
        while true {
            let end = state.pending[state.searched...].firstIndex(of: UInt8(ascii: "\n"))
            // The last line may lack a line break.
            let isLast = state.hasEnded && (state.isTooLong || !state.pending.isEmpty)
            guard let end = end ?? (isLast ? state.pending.count : nil) else {
                state.searched = state.pending.count
                if state.searched > longest {
                    state.isTooLong = true
                    (state.pending, state.searched) = ([], 0)
                }
                return nil
            }
            let line = Array(state.pending[..<end])
            state.pending.removeFirst(min(end + 1, state.pending.count))
            state.searched = 0
            let wasTooLong = state.isTooLong || line.count > longest
            state.isTooLong = false
            if wasTooLong { return .tooLong }
            if !line.allSatisfy({ $0 == 32 || $0 == 13 || $0 == 9 }) { return .text(line) }
        }
    }

    /// Waits at most 0.2 s.
    private func isReadable() -> Bool {
        var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&asked, 1, 200) > 0
    }

    private func fill(_ state: inout State) {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        // SAFETY: read writes at most the chunk's size into it, and the pointer is not used after the call.
        let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            state.pending += chunk[..<count]
        } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
            state.hasEnded = true
        }
    }
}
