extension JSONText {
    package mutating func field(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    package mutating func field(_ name: String, _ value: Int?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    package mutating func field(_ name: String, _ value: Double?, decimals: Int = 5) {
        key(name)
        if let value { number(value, decimals: decimals) } else { null() }
    }

    package mutating func field(_ name: String, _ value: Bool) {
        key(name)
        boolean(value)
    }

    package mutating func field(_ name: String, strings values: [String]) {
        array(name) { list in values.forEach { list.string($0) } }
    }

    package mutating func field(_ name: String, numbers values: [Double], decimals: Int = 5) {
        key(name)
        numbers(values, decimals: decimals)
    }

    /// JSON from elsewhere, unchanged.
    package mutating func field(_ name: String, raw json: some Sequence<UInt8>) {
        key(name)
        raw(json)
    }

    package mutating func object(_ name: String, _ body: (inout JSONText) throws -> Void) rethrows {
        key(name)
        try object(body)
    }

    package mutating func objects<Items: Sequence>(
        _ name: String, _ items: Items, _ body: (inout JSONText, Items.Element) throws -> Void
    ) rethrows {
        try array(name) { list in for item in items { try list.object { try body(&$0, item) } } }
    }

    package mutating func array(_ name: String, _ body: (inout JSONText) throws -> Void) rethrows {
        key(name)
        try array(body)
    }
}
