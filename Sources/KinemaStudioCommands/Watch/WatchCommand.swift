import ArgumentParser
import Foundation
import KinemaCommands
import Kinema

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Watches several cameras and streams at once, each with its own task.",
        discussion: """
            CAMERAS is a YAML file:

                folder: results               # one folder per camera, one file per day, lines of JSON
                listen: 127.0.0.1:9464        # /metrics for Prometheus, /healthz
                hosts: [gym.example]          # host names accepted besides the address
                webhook: http://127.0.0.1:8000/kinema
                mqtt: mqtt://user:password@127.0.0.1:1883/kinema
                cameras:
                  - name: rack
                    input: rtsp://10.0.0.7/stream1
                    task: count
                    options: [--people, all]

            Only cameras is needed. MQTT publishes each line to kinema/rack, and live or lost, retained, to kinema/rack/state \
            and kinema/state; mqtts:// is encrypted. Tasks are pose, count (the default), coach, gesture, trajectories, \
            toss and classify, with the options of these commands. Models are loaded once. A lost stream is \
            reopened; a task that fails is restarted after 1 s, then 2 s, up to a minute. Runs until Ctrl-C or, \
            if all inputs are files, until they end.
            """)

    @Argument(help: "The YAML file that lists the cameras.")
    var cameras: String

    @Flag(help: "Check the file, list the cameras, and exit.")
    var check = false

    func run() async throws {
        let configuration = try WatchConfiguration(contentsOf: URL(filePath: cameras))
        guard !check else {
            let lines = configuration.cameras.map { camera in
                ([camera.name, camera.task.rawValue, InputChoice(camera.input).source] + camera.options)
                    .map(PlainText.oneLine).joined(separator: "  ")
            }
            return try StandardOutput().line(lines.joined(separator: "\n"))
        }
        let run = try WatchRun(configuration)
        try await Interruption.guarding { interruption in
            let end = try await run.run(interruption)
            if !end.isDelivered || end.hasFailed && !interruption.isRaised { throw ExitStatus.failed.exitCode }
        }
    }
}
