extension RandomAccessCollection where Index == Int {
    /// The first index at which the predicate holds, in a collection where it fails up to a point and holds from there
    /// on.
    func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
