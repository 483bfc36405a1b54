import KinemaCore

/// A file of bare numbers that a first pass has interpreted.
struct PoseNumbers {
    private var parser: PoseNumberParser
    private let survey: PoseSurvey
    private let third: PoseSurvey.Third
    private let changesPlaces: Bool

    /// Passes through the file; throws `unreadableInput` when it is damaged or its joints do not fit their order.
    init(_ parser: PoseNumberParser) throws(KinemaError) {
        self.parser = parser
        var pass = parser
        var survey: PoseSurvey?
        while let row = try pass.next() {
            if survey == nil { survey = PoseSurvey(row.order.keys, order: row.order, hasThird: row.hasThird) }
            survey?.add(row.points)
        }
        self.survey = survey ?? PoseSurvey([], hasThird: false)
        third = self.survey.third
        changesPlaces = self.survey.isUpwards || self.survey.unit == .length
        if let misfit = self.survey.misfit { throw KinemaError(.unreadableInput, misfit, file: parser.file) }
    }

    var frameCount: Int? { parser.frameCount }

    var note: String { survey.note }

    var areShares: Bool { survey.unit == .shares }

    /// The shape of the pictures, `aspect` if given, and its size in the unit of the places.
    func picture(_ aspect: AspectRatio?) -> (shape: AspectRatio, width: Float, height: Float) {
        let shape = survey.shape(aspect)
        let size = survey.size(shape)
        return (shape, size.width, size.height)
    }

    /// The next frame with places from the upper left corner, y down, and confidences as third numbers; nil after the
    /// last.
    mutating func next() throws(KinemaError) -> JointRow? {
        guard var row = try parser.next() else { return nil }
        // A frame of zeros is nobody, also in body-centred coordinates.
        let isNobody = row.isNobody
        for index in row.points.indices {
            if third == .depth { row.points[index].z = isNobody ? 0 : 1 }
            // Ultralytics moves joints that it is not sure of to 0, 0.
            if third == .confidence, row.points[index].x == 0, row.points[index].y == 0 { row.points[index].z = 0 }
            if changesPlaces { row.points[index] = survey.place(row.points[index]) }
        }
        return row
    }
}
