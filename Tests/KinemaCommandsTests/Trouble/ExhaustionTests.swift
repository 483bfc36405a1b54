import Foundation
import KinemaTestSupport
import Testing

extension CommandTests {
    /// What the system refuses is named before anything begins: which limit, and what is needed.
    struct ExhaustionTests {
        @Test(arguments: [8, 40, 64]) func `too few open files are named`(files: Int) async throws {
            let run = try await Program.shell("ulimit -n \(files); \"$kinema\" count absent.mp4")
            #expect(run.status == 1 && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.complaint.contains("only \(files) open files are allowed, 72 are needed"), "\(run.complaint)")
        }

        @Test(arguments: [
            ("-s 64", "only 64 KiB of stack are allowed, 256 are needed (ulimit -s 256)"),
            ("-v 500000", "only 488 MiB of memory are allowed, 900 are needed (ulimit -v 921600)"),
            ("-d 100000", "only 97 MiB of memory are allowed"),
            ("-v 2000000", "only 1953 MiB of memory are allowed (ulimit -v), and a decoder process shares"),
        ])
        func `too little memory is named`(limit: String, says: String) async throws {
            let clip = try Clips.brief.get().path
            let run = try await Program.shell("ulimit \(limit); \"$kinema\" count '\(clip)'")
            #expect(run.status == 1 && run.complaints.count == 1 && run.complaint.contains(says), "\(run.complaint)")
        }

        /// As another user, since limits of processes do not hold for root.
        @Test(arguments: [4, 12]) func `too few processes are named and do not hang`(most: Int) async throws {
            let run = try await Program.shell(
                "exec setpriv --reuid=65534 --clear-groups bash -c \"ulimit -u \(most); exec '$kinema' count absent.mp4\""
            )
            #expect(run.status == 1 && run.complaint.contains("no more threads can be started"), "\(run.complaint)")
        }
    }
}
