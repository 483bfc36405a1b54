import Foundation
import KinemaTestSupport
import Testing

extension CommandTests {
    /// `kinema evaluate measure` on files whose differences are known.
    struct EvaluateMeasureCommandTests {
        private struct Table: Decodable {
            struct Row: Decodable {
                var angle: String
                var n: Int
                var rmse, bias, lower, upper: Double
                var correlation: Double?
            }
            var rows: [Row]
            var angles: Int
            var mean_rmse: Double
        }

        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func file(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: folder.file(name))
            return folder.file(name).path
        }

        private func ramp(_ name: String, from start: Double, plus bias: Double, _ column: String = "Right knee") throws
            -> String
        {
            let rows = (0...20).map { "\(Double($0) / 10),\(10 * (start + Double($0) / 10) + bias)\n" }
            return try file(name, "time,\(column)\n" + rows.joined())
        }

        @Test func `a bias and an offset are what the table says`() async throws {
            // The result's clock starts 1.5 s after the truth's.
            let result = try ramp("result.csv", from: 1.5, plus: 2)
            let truth = try ramp("truth.csv", from: 0, plus: 0, "right_knee")
            let words = ["evaluate", "measure", result, truth, "--offset", "1.5", "--format"]
            let csv = try await Program().run(words + ["csv"])
            #expect(csv.status == 0 && csv.complaint.isEmpty, "\(csv.complaint)")
            #expect(
                csv.lines == [
                    "angle,n,rmse,bias,lower,upper,correlation", "Right knee,6,2.00,2.00,2.00,2.00,1.000",
                    "# 1 angle: mean RMSE 2.00 degrees",
                ])
            let text = try await Program().run(words + ["text"])
            #expect(text.lines.count == 3 && text.lines[1].hasPrefix("Right knee   "), "\(text.text)")
            let table = try JSONDecoder().decode(Table.self, from: try await Program().run(words + ["json"]).output)
            #expect(table.angles == 1 && table.mean_rmse == 2 && table.rows.first?.n == 6)
            // The other way about, with a negative offset.
            let other = try await Program.run(
                "evaluate", "measure", truth, result, "--offset", "-1.5", "--format", "csv")
            #expect(other.lines.dropFirst().first == "Right knee,6,2.00,-2.00,-2.00,-2.00,1.000", "\(other.text)")
        }

        @Test func `a measurement agrees with its own angles and markers`() async throws {
            let walk = try file("walk.jsonl", MeasuredFigure.walking().lines(5))
            for name in ["walk.json", "walk.mot", "walk.trc"] {
                let run = try await Program.run(
                    "measure", walk, "--height", "1.8", "--view", "side", "-o", folder.file(name).path)
                #expect(run.status == 0, "\(run.complaint)")
            }
            // A velocity may be larger than any angle.
            let json = folder.file("walk.json")
            var own = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: json)) as? [String: Any])
            var quantities = try #require(own["quantities"] as? [String: [String: Any]])
            quantities["Left knee velocity"]?["values"] = [Double](repeating: 90_000, count: 300)
            own["quantities"] = quantities
            try JSONSerialization.data(withJSONObject: own).write(to: json)
            let markers = try String(contentsOf: folder.file("walk.trc"), encoding: .utf8)
            // Millimetres make a smaller person of the same angles.
            let small = try file("small.trc", markers.replacing("\tm\t", with: "\tmm\t"))
            for truth in [folder.file("walk.mot").path, folder.file("walk.trc").path, small] {
                let run = try await Program.run(
                    "evaluate", "measure", folder.file("walk.json").path, truth, "--format", "json")
                #expect(run.status == 0, "\(truth): \(run.complaint)")
                let table = try JSONDecoder().decode(Table.self, from: run.output)
                #expect(table.angles > 15 && table.rows.contains { $0.angle == "Left hip" }, "\(truth): \(run.text)")
                #expect(table.rows.allSatisfy { $0.n > 280 && $0.rmse < 0.1 }, "\(truth): \(run.text)")
            }
        }

        @Test(arguments: [
            ("", 65, "has no time and angles"), ("{\"view\":\"side\"}", 65, "is not the JSON of kinema measure"),
            ("PathFileType\t4\n", 65, "is cut short"), ("time,speed\n0,1\n1,2\n", 65, "has no time and angles"),
            ("time,Right knee\n0,1\n0,2\n", 65, "has times that go back"),
            ("time,Right knee\n0,1\n1\n", 65, "line 3 is not a time and angles"),
            ("time,Right knee\n0,bent\n", 65, "line 2 is not a time and angles"),
            ("time,Right knee\n0,1e300\n", 65, "line 2 is not a time and angles"),
            ("time,Left knee\n0,1\n1,2\n", 2, "at the same times was found"),
            ("time,Right knee\n7,1\n8,2\n", 2, "at the same times was found"),
        ])
        func `what cannot be compared is one line and the right code`(_ text: String, _ code: Int, _ words: String)
            async throws
        {
            let result = try ramp("result.csv", from: 0, plus: 0)
            let run = try await Program.run("evaluate", "measure", result, try file("truth.csv", text))
            #expect(run.status == Int32(code) && run.complaints.count == 1 && run.output.isEmpty, "\(run.complaint)")
            #expect(run.complaint.contains(words), "\(run.complaint)")
        }

        @Test func `radians and a preamble are read, and an offset is a number`() async throws {
            let truth = try ramp("truth.csv", from: 0, plus: 0)
            let rows = (0...20).map { "\(Double($0) / 10)\t\(Double($0) * .pi / 180 + 0.1)\n" }
            let head = "Coordinates\nversion=1\nnRows=21\nnColumns=2\ninDegrees=no\n\nendheader\ntime\tRight knee\n"
            let result = try file("result.mot", head + rows.joined())
            let run = try await Program.run("evaluate", "measure", result, truth, "--format", "csv")
            #expect(run.lines.dropFirst().first == "Right knee,21,5.73,5.73,5.73,5.73,1.000", "\(run.text)")
            let wrong = try await Program.run("evaluate", "measure", result, truth, "--offset", "nan")
            #expect(wrong.status == 64 && wrong.complaints.count == 1 && wrong.complaint.contains("--offset must be"))
        }
    }
}
