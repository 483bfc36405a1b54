import Foundation

/// The JSON that the command promises; decoding fails when a key is missing.
enum Contract {
    struct Frame: Decodable {
        var frame: Int
        var time: Double
        var people: [Person]
        var hands: [Hand]
    }

    struct Hand: Decodable {
        var id: Int
        var chirality: String?
        var person: Int?
        var confidence: Double
        var box: [Double]
        var keypoints: [String: [Double]]
        var keypoints3D: [String: [Double]]
    }

    struct Gestures: Decodable {
        struct Pinch: Decodable {
            var start: Double
            var end: Double
            var hand: String
        }

        struct Stroke: Decodable {
            var hand: String
            var points: [[Double]]
        }

        var source: String
        var duration: Double
        var frames: Int
        var pinches: [Pinch]
        var strokes: [Stroke]
    }

    struct Person: Decodable {
        var id: Int
        var confidence: Double
        var box: [Double]
        var keypoints: [String: [Double]]
        var keypoints3D: [String: [Double]]
    }

    struct Poses: Decodable {
        var source: String
        var frames: [Frame]
        var duration: Double
        var width: Int
        var height: Int
    }

    struct Repetition: Decodable {
        var start: Double
        var end: Double
    }

    struct Counted: Decodable {
        var id: Int
        var count: Int
        var repetitions: [Repetition]
    }

    struct Count: Decodable {
        var source: String
        var duration: Double
        var frames: Int
        var count: Int
        var people: [Counted]
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
