import ArgumentParser
import Kinema

/// `kinema models`: the neural models, what they are, and how to get more of them.
struct ModelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "Lists, fetches and checks neural models.",
        subcommands: [ModelsListCommand.self, ModelsFetchCommand.self, ModelsCheckCommand.self],
        defaultSubcommand: ModelsListCommand.self)
}
