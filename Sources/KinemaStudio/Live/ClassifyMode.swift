import Foundation
import Kinema
import KinemaDraw

struct ClassifyMode: LiveMode {
    var analysis: ClassifyAnalysis

    /// The absence that ends a bout of an action, seconds.
    static let pause: TimeInterval = 20

    init(_ request: StartRequest, model: any ActionClassifier, precision: ModelStore.Precision) {
        var configuration = ClassifyAnalysis.Configuration(classifier: model)
        configuration.pipeline =
            model.subject == .hand
            ? .liveHands(HandPoseOptions(maximumHandCount: 1, precision: precision))
            : .live(people: request.people ?? .prominent, precision: precision)
        configuration.pause = Self.pause
        analysis = ClassifyAnalysis(configuration)
    }

    var subject: FramingCheck.Subject { analysis.configuration.classifier.subject == .hand ? .hands : .somebody }

    func write(to json: inout JSONText) {
        let prediction = analysis.prediction
        json.object("classify") { json in
            json.field("label", prediction?.label)
            json.field("confidence", prediction?.confidence, decimals: 4)
            json.object("probabilities") { list in
                for (label, value) in (prediction?.labelProbabilities ?? [:]).sorted(by: { $0.key < $1.key }) {
                    list.field(label, value, decimals: 4)
                }
            }
        }
    }

    func summarise(_ session: inout StoredSession) {
        session.segments = analysis.result.segments
        session.count = session.segments.count { $0.label != nil }
    }
}
