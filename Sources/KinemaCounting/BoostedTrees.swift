import Foundation

/// Gradient-boosted decision trees: the logarithm of the odds is the sum of one leaf of each tree.
///
/// They are read from the base64 text that `script/counting fit` writes. All numbers are little-endian: the scale of
/// node values, Float32; the initial value of every sum, Float32; the number of quantities, UInt8; for each quantity
/// the number of its thresholds, UInt8, and the thresholds, Float32; then the nodes of all trees, each followed by its
/// left and then its right subtree: quantity and threshold, UInt8 each, and value, Int16. A leaf has quantity 255 and
/// no threshold. The value of an inner node is the mean of the leaves below it, which shows what each decision
/// contributed.
struct BoostedTrees: Sendable {
    private struct Node {
        /// The quantity's index; negative for a leaf.
        let quantity: Int16
        /// Where the right subtree begins; the left one follows the node directly.
        let right: UInt16
        /// The greatest value that goes left.
        let threshold: Float
        let value: Float
    }

    /// The number of quantities.
    let quantities: Int
    private let base: Float
    private let nodes: [Node]
    private let roots: [Int]

    /// Nil if the text is not a file that `script/counting fit` writes: comments, then base64.
    init?(text: String) {
        self.init(base64: text.split(separator: "\n").drop { $0.hasPrefix("#") }.joined())
    }

    /// Nil if the text is not in the format that `script/counting fit` writes.
    init?(base64 text: String) {
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else { return nil }
        var bytes = ByteReader(data)
        guard let scale = bytes.float(), let base = bytes.float(), let count = bytes.next() else { return nil }
        var thresholds: [[Float]] = []
        for _ in 0..<count {
            guard let many = bytes.next() else { return nil }
            let values = (0..<many).compactMap { _ in bytes.float() }
            guard values.count == Int(many) else { return nil }
            thresholds.append(values)
        }
        var (nodes, roots): ([Node], [Int]) = ([], [])
        while !bytes.isAtEnd {
            roots.append(nodes.count)
            guard Self.read(&bytes, into: &nodes, from: nodes.count, thresholds, scale, depth: 0) else { return nil }
        }
        (quantities, self.base, self.nodes, self.roots) = (Int(count), base, nodes, roots)
    }

    /// Reads a node and everything below it; indices count from the tree's root.
    private static func read(
        _ bytes: inout ByteReader, into nodes: inout [Node], from root: Int, _ thresholds: [[Float]], _ scale: Float,
        depth: Int
    ) -> Bool {
        guard depth < 64, nodes.count - root < Int(UInt16.max), let quantity = bytes.next() else { return false }
        guard quantity != .max else {
            guard let value = bytes.short() else { return false }
            nodes.append(Node(quantity: -1, right: 0, threshold: 0, value: Float(value) * scale))
            return true
        }
        guard let step = bytes.next(), let value = bytes.short(), Int(quantity) < thresholds.count,
            Int(step) < thresholds[Int(quantity)].count
        else { return false }
        let place = nodes.count
        nodes.append(Node(quantity: -1, right: 0, threshold: 0, value: 0))
        guard read(&bytes, into: &nodes, from: root, thresholds, scale, depth: depth + 1) else { return false }
        nodes[place] = Node(
            quantity: Int16(quantity), right: UInt16(nodes.count - root),
            threshold: thresholds[Int(quantity)][Int(step)], value: Float(value) * scale)
        return read(&bytes, into: &nodes, from: root, thresholds, scale, depth: depth + 1)
    }

    /// The logarithm of the odds for each row of evidence; the rows are concatenated, each with `quantities` values.
    ///
    /// Each tree scores all rows before the next one does, so that it stays in the processor's cache.
    func sums(_ evidence: [Float]) -> [Float] {
        var sums = [Float](repeating: base, count: evidence.count / max(1, quantities))
        for root in roots {
            for row in sums.indices {
                var place = root
                while nodes[place].quantity >= 0 { place = next(place, root, evidence, from: row * quantities) }
                sums[row] += nodes[place].value
            }
        }
        return sums
    }

    /// The logarithm of the odds before any decision.
    var prior: Float { roots.reduce(base) { $0 + nodes[$1].value } }

    /// How much each quantity adds to the logarithm of the odds: the change in node value at its decisions, summed
    /// along the path through each tree (Saabas 2014).
    func contributions(_ evidence: [Float]) -> [Float] {
        var sums = [Float](repeating: 0, count: quantities)
        for root in roots {
            var place = root
            while nodes[place].quantity >= 0 {
                let after = next(place, root, evidence)
                sums[Int(nodes[place].quantity)] += nodes[after].value - nodes[place].value
                place = after
            }
        }
        return sums
    }

    /// NaN goes right.
    @inline(__always)
    private func next(_ place: Int, _ root: Int, _ evidence: [Float], from first: Int = 0) -> Int {
        let node = nodes[place]
        return evidence[first + Int(node.quantity)] <= node.threshold ? place + 1 : root + Int(node.right)
    }
}

/// Little-endian numbers, one after the other.
struct ByteReader {
    private var rest: Data.SubSequence

    init(_ data: Data) { rest = data[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func next() -> UInt8? { rest.popFirst() }

    mutating func short() -> Int16? {
        guard let low = next(), let high = next() else { return nil }
        return Int16(bitPattern: UInt16(low) | UInt16(high) << 8)
    }

    mutating func float() -> Float? {
        guard let low = short(), let high = short() else { return nil }
        return Float(bitPattern: UInt32(UInt16(bitPattern: low)) | UInt32(UInt16(bitPattern: high)) << 16)
    }
}
