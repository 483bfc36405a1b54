internal import Synchronization

package enum DecoderIsolation: Hashable, Sendable {
    case none
    /// In a confined child process that reads one input: the executable at this path, which calls
    /// `DecoderService.runIfAsked`.
    case process(executable: String)

    /// In a child of this executable, if it can be one; else in this process.
    package static var thisExecutable: DecoderIsolation {
        DecoderService.canServe.load(ordering: .relaxed) ? .process(executable: "/proc/self/exe") : .none
    }
}

extension DecoderIsolation {
    /// The kernel's confinement of a decoder process, as text, and whether it suffices.
    package static var confinement: (isSound: Bool, text: String) {
        let support = ConfinementHandle.support
        guard support.filtersSystemCalls else {
            return (false, "the kernel filters no system calls; decoder processes are confined by limits alone")
        }
        let files = support.landlock == 0 ? "" : ", files by Landlock \(support.landlock)"
        let ports = support.landlock >= 4 ? ", ports as well" : ", but not which port a stream's decoder reaches"
        return (true, "system calls filtered\(files)\(ports)")
    }
}
