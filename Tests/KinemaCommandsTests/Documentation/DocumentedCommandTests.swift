import Foundation
import KinemaTestSupport
import Testing

extension CommandTests {
    /// The commands that the documentation gives are run, page by page, in the order of the page and in one shell: those of
    /// the README always, those of the guides where sweeps are complete. Their names and options are compared always.
    struct DocumentedCommandTests {
        /// Commands that no test can run, by how they begin, and why.
        private static let untried: [(begins: String, why: String)] = [
            ("script/bench", "measures the machine"),
            ("script/benchmarks", "builds a package of its own, and needs valgrind"),
            ("script/demo", "builds the package"),
            ("script/package", "builds packages, and tries them itself"),
            ("script/ray", "needs a cluster; script/ray --trial is its test"),
            ("script/soak", "takes eight minutes and more"),
            ("script/test", "runs these tests"),
            ("script/trajectories", "measures on the recordings"),
            ("sudo apt install", "changes the system; script/package --try does it in a bare root"),
            ("tar xzf kinema-VERSION", "needs an archive; script/package --try unpacks one"),
            ("kinema-VERSION", "as above"),
            ("ln -s", "changes the home folder"),
            ("podman", "needs a container engine"),
            ("KINEMA_TOKEN=$(openssl rand -hex 16) podman", "needs a container engine"),
            ("dpkg", "printed by script/package --try, in a bare root"),
            ("kinema count /packages/", "as above"),
            ("kinema synth --scene squat --repetitions 5 --output /tmp/", "as above"),
            ("kinema count /tmp/", "as above"),
            ("kinema models fetch", "asks a publisher's address"),
            ("kinema pose street.jpg --model", "needs a model that has to be fetched"),
            ("kinema count squats.mp4 --model", "as above"),
            ("kinema pose dance.mp4 --model", "as above"),
            ("kinema count class.mp4 --people all --max-people 24 --model", "as above"),
            ("python3 landmarks.py", "needs MediaPipe; a table of joints stands for what it writes"),
        ]

        /// Exit codes other than 0, by how a command begins.
        private static let codes: [(begins: String, code: Int32)] = [
            // The fault is put there on purpose.
            ("printf '\\nkinema-fault", 65),
            // The file at hand is a detector that is built in, so the answer is that it does not fit.
            ("kinema models check model.tflite", 65),
        ]

        /// What a test does with less, so that all pages together take a minute and a half of one core.
        private static let less: [(said: String, run: String)] = [
            (" squat --repetitions 2 ", " squat --repetitions 1 "), (" --frame-rate 12 ", " --frame-rate 8 "),
            (" --frame-rate 10 ", " --frame-rate 8 "),
            (" --people 10 --seed 3 ", " --people 4 --seconds 2 --size 640x360 --seed 3 "),
            (" --seconds 12 --size 1280x720 ", " --seconds 1 --size 640x360 "),
        ]

        /// The studio is started at a free port, asked to stop once it tells its address, and ends with that.
        private static let prelude = """
            set -o pipefail
            kinema() { if [ "$1" = studio ]; then served "$@"; else command kinema "$@"; fi; }
            served() {
                local told="$results/served" id status=0
                command kinema "$@" --port 0 >"$told" 2>&1 & id=$!
                for _ in {1..600}; do
                    if grep -q http:// "$told" || ! kill -0 "$id" 2>/dev/null; then break; fi
                    sleep 0.1
                done
                grep -q http:// "$told" || { cat "$told" >&2; status=1; }
                kill -INT "$id" 2>/dev/null
                wait "$id"
                return "$status"
            }

            """

        private let folder: TemporaryFolder
        private let results: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            results = try TemporaryFolder()
        }

        /// Pages of which something is run.
        private static let pages = DocumentedPage.all.filter { $0.commands.contains(where: isTried) }

        private static func isTried(_ command: DocumentedCommand) -> Bool {
            !untried.contains { command.text.hasPrefix($0.begins) }
        }

        @Test(arguments: Sweep.of(pages, or: pages.filter { $0.path == "README.md" }))
        func `every command of the documentation does what it says`(page: DocumentedPage) async throws {
            let commands = page.commands.filter(Self.isTried)
            try await DocumentedFiles.lay(for: commands.map(\.text), into: folder.url)
            for file in page.files { try Data(file.text.utf8).write(to: folder.file(file.name)) }
            var id = ""
            if commands.contains(where: { $0.text.contains(" ID ") }) {
                let clip = try Clips.squat.get()
                id = try await DocumentedFiles.keepSession(in: results.file("history.sqlite"), posesOf: clip)
            }
            let lines = commands.map { command in
                let text = Self.less.reduce(command.text) { $0.replacingOccurrences(of: $1.said, with: $1.run) }
                    .replacingOccurrences(of: " ID ", with: " \(id) ")
                return """
                    { \(text)
                    } >"$results/output" 2>"$results/\(command.line)" </dev/null
                    echo "\(command.line) $?" >>"$results/codes"

                    """
            }
            let bin = Program.url.deletingLastPathComponent().path
            let running = try RunningProgram(
                URL(filePath: "/usr/bin/timeout"),
                ["--signal=KILL", "600", "bash", "-c", Self.prelude + lines.joined()],
                environment: [
                    "PATH": "\(bin):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
                    "KINEMA_HISTORY": results.file("history.sqlite").path, "results": results.url.path,
                ], folder: folder.url)
            let outcome = try await running.outcome(within: .seconds(610))
            let codes = (try? String(contentsOf: results.file("codes"), encoding: .utf8)) ?? ""
            let ended = Dictionary(
                codes.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int32($0) } }
                    .map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
            for command in commands {
                let expected = Self.codes.first { command.text.hasPrefix($0.begins) }?.code ?? 0
                let complaint = try? String(contentsOf: results.file("\(command.line)"), encoding: .utf8)
                #expect(
                    ended[Int32(command.line)] == expected,
                    "\(page.path):\(command.line): \(command.text)\n\(complaint ?? outcome.complaint)")
            }
        }

        @Test func `what is not tried, and what ends otherwise, is still documented`() {
            let commands = DocumentedPage.all.flatMap(\.commands).map(\.text)
            #expect(commands.count > 80, "the pages are not read")
            for begins in Self.untried.map(\.begins) + Self.codes.map(\.begins) {
                #expect(commands.contains { $0.hasPrefix(begins) }, "no page gives: \(begins)")
            }
            for said in Self.less.map(\.said) {
                #expect(commands.contains { $0.contains(said) }, "no page gives: \(said)")
            }
        }

        /// A command as it describes itself.
        private struct Description: Decodable {
            struct Argument: Decodable {
                struct Name: Decodable {
                    var kind: String
                    var name: String
                }

                var names: [Name]?
            }

            var commandName: String
            var arguments: [Argument]?
            var subcommands: [Description]?
            var defaultSubcommand: String?

            /// Its own and those of the command that it runs where none is named.
            var options: Set<String> {
                let names = (arguments ?? []).flatMap { $0.names ?? [] }
                let own = Set(names.map { name -> String in (name.kind == "long" ? "--" : "-") + name.name })
                let usual = subcommands?.first { $0.commandName == defaultSubcommand }
                return own.union(usual?.options ?? [])
            }
        }

        private struct Whole: Decodable { var command: Description }

        @Test func `every command and option that a page names is there`() async throws {
            let run = try await Program.run("--experimental-dump-help")
            let whole = try JSONDecoder().decode(Whole.self, from: run.output).command
            var count = 0
            for page in DocumentedPage.all {
                for mention in page.mentions {
                    var words = mention.split(whereSeparator: \.isWhitespace).prefix { $0 != "--" }
                    var command = whole
                    while let word = words.first,
                        let next = command.subcommands?.first(where: { $0.commandName == word.prefix { $0 != "|" } })
                    {
                        (command, words) = (next, words.dropFirst())
                    }
                    let isNamed = command.commandName != whole.commandName || words.first?.first?.isLowercase != true
                    #expect(isNamed, "\(page.path): kinema \(mention)")
                    for word in words where word.contains(/^--?[a-z]/) {
                        let option = String(word.prefix { $0.isLetter || $0.isNumber || $0 == "-" })
                        #expect(command.options.contains(option), "\(page.path): kinema \(mention)")
                        count += 1
                    }
                }
            }
            #expect(count > 200, "the pages are not read")
        }
    }
}
