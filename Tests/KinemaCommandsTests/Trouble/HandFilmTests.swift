import Foundation
import KinemaTestSupport
import Testing

extension CommandTests {
    /// Films of hands, learnt from and named.
    struct HandFilmTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        @Test func `rendered hands are looked at, learnt from and named, in films and in their stored lines`()
            async throws
        {
            for action in RenderedHand.Action.allCases {
                for person in 0..<3 {
                    let film = folder.file("films/\(action.rawValue)/\(person).mp4")
                    try FileManager.default.createDirectory(
                        at: film.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try RenderedHand.write(action, person: Double(person), to: film)
                }
            }
            let model = folder.file("m.kinema").path
            let trained = try await Program.run(
                "train", folder.file("films").path, "--hands", "-o", model, "--window", "30")
            #expect(trained.status == 0 && trained.complaint.isEmpty, "\(trained.complaint)")
            #expect(trained.text.contains("2 classes from 6 clips of hands"), "\(trained.text)")
            let (film, lines) = (folder.file("new.mp4"), folder.file("new.jsonl"))
            for action in RenderedHand.Action.allCases {
                try RenderedHand.write(action, person: 1.5, to: film)
                let stored = try await Program.run("pose", film.path, "--hands", "--no-bodies", "--format", "jsonl")
                try stored.output.write(to: lines)
                for input in [film, lines] {
                    let named = try await Program.run("classify", input.path, "--classifier", model, "--format", "csv")
                    let labels = named.lines.dropFirst().map { $0.split(separator: ",")[2] }
                    #expect(named.status == 0 && !labels.isEmpty, "\(named.complaint)")
                    #expect(labels.allSatisfy { $0 == action.rawValue }, "\(named.text)")
                }
            }
        }

        @Test(.enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"))
        func `films of hands are looked at, learnt from and named`() async throws {
            let (pinches, counting) = (folder.file("pinch.mp4").path, folder.file("count.mp4").path)
            for (name, film, seconds) in [
                ("pinch.mp4", "volume_portrait.mp4", 5), ("count.mp4", "neg_counting_fingers.mp4", 8),
            ] {
                let whole = SharedData.file("hands/pinches/" + film).path
                try Tool.ffmpeg("-i \(whole) -t \(seconds) -c copy", folder.file(name))
            }
            let (table, model) = (folder.file("films.csv"), folder.file("f.kinema").path)
            try Data(
                """
                file,label,start,end
                pinch.mp4,pinch,0,2
                pinch.mp4,pinch,2,3.5
                pinch.mp4,pinch,3.5,5
                count.mp4,count,0,3
                count.mp4,count,3,5.5
                count.mp4,count,5.5,8

                """.utf8
            ).write(to: table)
            let trained = try await Program.run("train", table.path, "--hands", "-o", model)
            #expect(trained.status == 0, "\(trained.complaint)")
            for (film, label) in [(pinches, "pinch"), (counting, "count")] {
                let named = try await Program.run(
                    "classify", film, "--classifier", model, "--format", "csv", "--threshold", "0")
                #expect(
                    named.status == 0 && named.lines.dropFirst().contains { $0.contains(",\(label),") }, "\(named.text)"
                )
            }
        }
    }
}
