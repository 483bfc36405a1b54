import Foundation
import KinemaCore

extension PoseTable {
    mutating func place(_ aspect: AspectRatio?) throws(KinemaError) {
        let (usual, isSaid) = (aspect ?? .usual, aspect != nil)
        guard places == .pixels else {
            if places == .shares { setSizes(usual, overrides: isSaid) } else { placeSpace(points.filter(\.isSeen)) }
            places = .shares
            return
        }
        places = .shares
        let survey = try survey()
        let statesSize = frames.contains { $0.width > 0 }
        if !statesSize, survey.isUpwards || survey.unit == .length { return place(survey, aspect) }
        let seen = points.filter(\.isSeen)
        let right = seen.map(\.x).max() ?? 1, top = seen.map(\.y).max() ?? 1
        if right <= PoseSurvey.largestShare, top <= PoseSurvey.largestShare {
            setSizes(usual, overrides: isSaid)
            for index in points.indices { points[index].y = 1 - points[index].y }
            return
        }
        let ratio = Float(usual.value)
        let height = max(top, right / ratio)
        let whole = SIMD2(height * ratio, height)
        for frame in frames {
            let stated = SIMD2(Float(frame.width), Float(frame.height))
            let size = frame.width > 0 && frame.height > 0 ? stated : whole
            for index in frame.people.flatMap({ $0.start..<$0.start + joints.count }) {
                points[index].x /= size.x
                points[index].y = 1 - points[index].y / size.y
            }
        }
        setSizes(usual, overrides: isSaid)
    }

    /// Surveys everyone's numbers and converts third numbers to confidences; throws `unreadableInput` for an unknown
    /// order.
    private mutating func survey() throws(KinemaError) -> PoseSurvey {
        var survey = PoseSurvey(joints, order: order, hasThird: hasRawThird)
        let nowhere = SIMD3<Float>(repeating: .nan)
        for start in frames.lazy.flatMap(\.people).map(\.start) {
            let person = points[start..<start + joints.count]
            survey.add(hasRawThird ? Array(person) : person.map { $0.isSeen ? $0 : nowhere })
        }
        if let misfit = survey.misfit { throw broken(misfit) }
        for index in points.indices where hasRawThird {
            // Ultralytics moves uncertain joints to 0, 0.
            let isPlace = points[index].isPlace
            if !isPlace || survey.third == .depth { points[index].z = isPlace ? 1 : 0 }
        }
        for index in frames.indices where hasRawThird {
            frames[index].people.removeAll { person in
                !points[person.start..<person.start + joints.count].contains(where: \.isSeen)
            }
        }
        if order != nil || survey.isUpwards || survey.unit == .length { add(survey.note) }
        return survey
    }

    /// Converts positions that are lengths, or whose y points up, to picture coordinates.
    private mutating func place(_ survey: PoseSurvey, _ aspect: AspectRatio?) {
        let shape = survey.shape(aspect)
        let size = survey.size(shape)
        for index in points.indices {
            let place = survey.place(points[index])
            points[index] = SIMD3(place.x / size.width, 1 - place.y / size.height, place.z)
        }
        setSizes(shape, overrides: true)
    }

    private mutating func setSizes(_ usual: AspectRatio, overrides: Bool) {
        for index in frames.indices where overrides || frames[index].width == 0 || frames[index].height == 0 {
            (frames[index].width, frames[index].height) = (usual.width, usual.height)
        }
    }

    /// Uses a picture of a thousand points on its longer side that holds every point with a margin of a tenth.
    private mutating func placeSpace(_ seen: [SIMD3<Float>]) {
        let (left, right) = (seen.map(\.x).min() ?? 0, seen.map(\.x).max() ?? 1)
        let (bottom, top) = (seen.map(\.y).min() ?? 0, seen.map(\.y).max() ?? 1)
        let side = max(right - left, top - bottom, 1e-6)
        let margin = side / 10
        let (width, height) = (right - left + 2 * margin, top - bottom + 2 * margin)
        for index in points.indices {
            points[index].x = (points[index].x - left + margin) / width
            points[index].y = (points[index].y - bottom + margin) / height
        }
        for index in frames.indices {
            frames[index].width = max(1, Int(width / side * 1000))
            frames[index].height = max(1, Int(height / side * 1000))
        }
    }
}
