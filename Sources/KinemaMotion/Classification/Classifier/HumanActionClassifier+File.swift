public import Foundation
public import KinemaCore

/// The model file: one JSON object with a name, a version, and everything the classifier is made of.
extension HumanActionClassifier {
    private static let format = "kinema-action-classifier"
    /// Raised when older programs could not understand a file any more.
    private static let version = 1
    /// A file of a hundred classes is some ten megabytes.
    private static let largest = 256 << 20

    private struct Header: Codable {
        var format: String
        var version: Int
    }

    private struct Content: Codable {
        var format: String
        var version: Int
        var summary: TrainingSummary
        var rejectionThreshold: Double
        var model: ActionModel
    }

    /// Reads a classifier. Throws `unreadableInput` when the file is missing, cut short, of a newer version, or makes no
    /// sense.
    public init(contentsOf url: URL) throws(KinemaError) {
        func unreadable(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: url.path) }
        let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize
        guard let size else { throw unreadable("no such file") }
        guard size <= Self.largest else { throw unreadable("is too large for a classifier") }
        guard let data = try? Data(contentsOf: url) else {
            throw unreadable("cannot be read; is it a file you may read?")
        }
        let decoder = JSONDecoder()
        guard let header = try? decoder.decode(Header.self, from: data) else {
            // What begins as one but does not end as one was cut; anything else never was one.
            let isCut = String(decoding: data.prefix(200), as: UTF8.self).contains(Self.format)
            throw unreadable(
                isCut
                    ? "is damaged or cut short; copy it again or train anew"
                    : "is no classifier of kinema train")
        }
        guard header.format == Self.format else { throw unreadable("is no classifier of kinema train") }
        guard header.version <= Self.version else {
            throw unreadable(
                "is of version \(header.version), and this program reads up to \(Self.version); update Kinema")
        }
        guard let content = try? decoder.decode(Content.self, from: data), content.model.isSound,
            (0...1).contains(content.rejectionThreshold)
        else { throw unreadable("is damaged; copy it again or train anew") }
        self.init(model: content.model, summary: content.summary)
        rejectionThreshold = content.rejectionThreshold
    }

    /// Writes the classifier into a file, whole or not at all. Throws `unwritableOutput`.
    public func write(to url: URL) throws(KinemaError) {
        let encoder = JSONEncoder()
        // The same classifier is the same file, byte for byte, and its name and version come first.
        encoder.outputFormatting = [.sortedKeys]
        do {
            let content = Content(
                format: Self.format, version: Self.version, summary: summary, rejectionThreshold: rejectionThreshold,
                model: model)
            try encoder.encode(content).write(to: url, options: .atomic)
        } catch {
            let reason = (error as NSError).localizedDescription
            throw KinemaError(.unwritableOutput, "cannot be written: \(reason)", file: url.path)
        }
    }
}

extension ActionModel {
    /// Whether all parts fit each other, so that no input can lead beyond them.
    var isSound: Bool {
        let joints = subject.joints.count
        guard classes.count >= 2, Set(classes).count == classes.count, (4...10_000).contains(length),
            rate.isFinite, (1...1000).contains(rate), usual.count == joints, bank.isSound,
            bank.length == length, bank.channels == 2 * joints + subject.links.count
        else { return false }
        return ridge.isSound(features: bank.count, classes: classes.count)
            && usual.allSatisfy { $0.x.isFinite && $0.y.isFinite }
            && [windowCalibration, clipCalibration].allSatisfy { (0...1000).contains($0.sharpness) }
            && [threshold, strangeness].allSatisfy(\.isFinite)
    }
}

extension FeatureBank {
    var isSound: Bool {
        let most = max(1, (length - 1) / (ConvolutionUnit.taps - 1))
        return channels > 0 && length > 0 && !units.isEmpty
            && units.allSatisfy { unit in
                (1...most).contains(unit.dilation) && unit.heavy.count == 3
                    && unit.heavy.allSatisfy { (0..<ConvolutionUnit.taps).contains($0) }
                    && !unit.channels.isEmpty && unit.bias.isFinite
                    && unit.channels.allSatisfy { (0..<channels).contains($0.index) && $0.sign.isFinite }
            }
    }
}

extension RidgeClassifier {
    func isSound(features: Int, classes: Int) -> Bool {
        centre.count == features && factor.count == features && weights.count == classes && bias.count == classes
            && weights.allSatisfy { $0.count == features && $0.allSatisfy(\.isFinite) }
            && (centre + factor + bias).allSatisfy(\.isFinite)
    }
}
