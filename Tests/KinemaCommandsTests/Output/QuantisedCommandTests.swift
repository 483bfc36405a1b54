import Foundation
import KinemaTestSupport
import Testing

extension CommandTests {
    /// `--precision int8` without the models that `script/quantise` makes, and with damaged ones.
    struct QuantisedCommandTests {
        /// A home with the library and the published models, and nothing quantised.
        private let home: TemporaryFolder

        init() throws {
            home = try TemporaryFolder()
            let real =
                ProcessInfo.processInfo.environment["KINEMA_HOME"].map { URL(filePath: $0) }
                ?? SharedData.package.appending(path: ".kinema")
            for name in ["openvino", "models"] {
                try FileManager.default.createSymbolicLink(
                    at: home.file(name), withDestinationURL: real.appending(path: name))
            }
        }

        private func run(_ arguments: String...) async throws -> Program.Outcome {
            try await Program(environment: ["KINEMA_HOME": home.url.path]).run(arguments)
        }

        @Test(arguments: [["pose"], ["count"], ["coach"], ["gesture"]])
        func `without quantised models one line names the script that makes them`(_ command: [String]) async throws {
            let clip = try Clips.squat.get().path
            let run = try await Program(environment: ["KINEMA_HOME": home.url.path]).run(
                command + [clip, "--precision", "int8"])
            #expect(run.status == 1 && run.output.isEmpty)
            #expect(run.complaints.count == 1 && run.complaint.contains("script/quantise"), "\(run.complaint)")
        }

        @Test func `another precision than the three is wrong usage`() async throws {
            let run = try await self.run("pose", try Clips.squat.get().path, "--precision", "int4")
            #expect(run.status == 64 && run.complaint.contains("int8"), "\(run.complaint)")
        }

        @Test func `the doctor misses nothing without them, and says when they are damaged`() async throws {
            let without = try await run("doctor")
            #expect(without.lines.contains { $0.hasPrefix("ok ") && $0.contains("script/quantise") }, "\(without.text)")
            let listed = try await run("models")
            #expect(listed.lines.count { $0.contains("int8      not installed") } == 2)
            try FileManager.default.createDirectory(at: home.file("models-int8"), withIntermediateDirectories: true)
            for name in ["body-landmarks.xml", "SHA256SUMS"] {
                try Data("0  body-landmarks.xml\n".utf8).write(to: home.file("models-int8").appending(path: name))
            }
            let damaged = try await run("doctor")
            #expect(
                damaged.lines.contains { $0.hasPrefix("MISSING int8") && $0.contains("script/quantise") },
                "\(damaged.text)")
            let run = try await self.run("pose", try Clips.squat.get().path, "--precision", "int8")
            #expect(run.status == 1 && run.complaints.count == 1 && run.complaint.contains("script/quantise"))
        }
    }
}
