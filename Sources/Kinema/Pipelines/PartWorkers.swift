import KinemaVision
import Foundation
import KinemaCore
import KinemaMedia
import Synchronization

/// Analyses the parts of a file, each on its own thread with its own decoder, a few parts ahead of the reader.
final class PartWorkers: Sendable {
    typealias Element = PartElement

    var plan: PartPlan { analysis.plan }
    private let analysis: PartAnalysis
    private let channels: [FrameChannel<Element>]
    /// What is read in place of a part, or of all from its start.
    private let replacement = Mutex(FrameChannel<Element>(.bounded(1 << 16)))
    private let next = Mutex(0)
    private let isCancelled = Atomic<Bool>(false)
    /// One for each part that may be begun.
    private let room = DispatchSemaphore(value: 0)
    /// The folder for analysed parts; nil if they are not kept.
    private let folder: PartFolder?
    private let filling: Atomic<Int>
    private let kept = Mutex(0)

    init(_ analysis: PartAnalysis, count: Int) {
        self.analysis = analysis
        folder = analysis.pipeline.partFolder.map(PartFolder.init)
        channels = analysis.plan.starts.map { _ in FrameChannel(.bounded(1 << 16)) }
        let threads = min(count, channels.count)
        filling = Atomic(threads)
        for _ in 0...count { room.signal() }
        // Loads all models at once, while the parts are being opened.
        if folder == nil { start("kinema.models") { $0.analysis.pipeline.prepareModels() } }
        for _ in 0..<threads {
            start("kinema.part") { workers in
                if let folder = workers.folder { workers.fill(folder) } else { workers.work() }
            }
        }
        if let folder { start("kinema.join") { $0.deliver(folder) } }
    }

    /// Starts a thread whose inferences each use one core.
    private func start(_ name: String, _ work: @escaping @Sendable (PartWorkers) -> Void) {
        Thread.start(name) { [self] in Parallelism.$isOneOfSeveral.withValue(true) { work(self) } }
    }

    /// The next frame of a part, or its end; nil after that. Throws the part's error, and CancellationError.
    func element(of part: Int) async throws -> Element? { try await read(channels[part]) }

    /// The same for what `readAgain` or `readRest` began.
    func elementOfReplacement() async throws -> Element? { try await read(replacement.withLock(\.self)) }

    private func read(_ channel: FrameChannel<Element>) async throws -> Element? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await channel.next()
        } onCancel: {
            cancel()
        }
    }

    /// Allows one more part to start, after one was read.
    func release() { room.signal() }

    /// Analyses a part again with a longer warm-up, in place of what is left of it.
    func readAgain(_ part: Int) {
        channels[part].cancel()
        let channel = replace()
        start("kinema.part") { $0.analyse(part, warmUp: PartPlan.longWarmUp, into: channel) }
    }

    /// Ends all parts and analyses the file in one piece from a part's start, reporting defects from there.
    func readRest(from part: Int) {
        endParts()
        let channel = replace()
        Thread.start("kinema.rest") { [self] in
            analyse(part, withRest: true, into: channel)
        }
    }

    private func replace() -> FrameChannel<Element> {
        let channel = FrameChannel<Element>(.bounded(1 << 16))
        replacement.withLock { current in
            current.cancel()
            current = channel
        }
        return channel
    }

    func cancel() {
        endParts()
        replacement.withLock { $0.cancel() }
        if !analysis.pipeline.needsPictures { analysis.frames.stop() }
    }

    private func endParts() {
        isCancelled.store(true, ordering: .relaxed)
        channels.forEach { $0.cancel() }
        for _ in channels { room.signal() }
    }

    private func work() {
        while true {
            room.wait()
            guard !isCancelled.load(ordering: .relaxed),
                let part = next.withLock({ next -> Int? in
                    defer { next += 1 }
                    return next < channels.count ? next : nil
                })
            else { return }
            analyse(part, into: channels[part])
        }
    }

    private func analyse(
        _ part: Int, withRest: Bool = false, warmUp: TimeInterval = PartPlan.warmUp, into channel: FrameChannel<Element>
    ) {
        channel.finish(
            Result { try analysis.run(part, withRest: withRest, warmUp: warmUp, send: channel.sendBlocking) })
    }
}

// MARK: Parts that are kept

extension PartWorkers {
    private var hasEnded: Bool { isCancelled.load(ordering: .relaxed) }

    /// Analyses the parts that are missing from the folder, or have different options, and that nobody else works on.
    private func fill(_ folder: PartFolder) {
        // The parts of a folder usually come from one run, so the first shows whether the others are usable.
        let isKnown = channels.indices.first(where: folder.has).map { folder.part($0, of: analysis) != nil } ?? true
        // A part that fails is tried again in its turn, when the failure is reported.
        for part in channels.indices where !hasEnded && !(isKnown && folder.has(part)) {
            _ = try? self.part(part, in: folder)
        }
        filling.subtract(1, ordering: .relaxed)
    }

    /// Sends the parts in order, as soon as this process or another has analysed them.
    private func deliver(_ folder: PartFolder) {
        for (part, channel) in zip(channels.indices, channels) {
            room.wait()
            channel.finish(Result { try send(part, of: folder, to: channel) })
        }
    }

    private func send(_ part: Int, of folder: PartFolder, to channel: FrameChannel<Element>) throws {
        while !hasEnded {
            let isFilling = filling.load(ordering: .relaxed) > 0 && !folder.has(part)
            if !isFilling, let file = try self.part(part, in: folder) {
                for element in file.elements(of: analysis.frames) { _ = channel.sendBlocking(element) }
                if part == channels.count - 1 { reportKnown() }
                return
            }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    private func reportKnown() {
        let known = channels.count - kept.withLock { $0 }
        guard known > 0 else { return }
        let text = "\(known) of \(channels.count) parts were analysed before, or by another process"
        analysis.frames.report([Diagnostic("parts.known", text, file: analysis.frames.url.path)])
    }

    /// A part of the folder, analysed if it is missing; nil while another thread or process analyses it.
    private func part(_ part: Int, in folder: PartFolder) throws -> PartFile? {
        if let known = folder.part(part, of: analysis) { return known }
        guard let claim = try folder.claim(part) else { return nil }
        // Another process may have finished it by now.
        if let known = folder.part(part, of: analysis) { return known }
        let file = try PartFile(part, of: analysis) { !hasEnded }
        try claim.keep(file.bytes)
        kept.withLock { $0 += 1 }
        return file
    }
}
