import KinemaCore

extension JSONText {
    /// A key and its text; null for nil.
    mutating func field(_ key: String, _ value: String?) {
        self.key(key)
        if let value { string(value) } else { null() }
    }

    /// A key and its whole number; null for nil.
    mutating func field(_ key: String, _ value: Int?) {
        self.key(key)
        if let value { integer(value) } else { null() }
    }

    /// A key and its number; null for nil.
    mutating func field(_ key: String, _ value: Double?, decimals: Int = 5) {
        self.key(key)
        if let value { number(value, decimals: decimals) } else { null() }
    }

    /// A key and true or false.
    mutating func field(_ key: String, _ value: Bool) {
        self.key(key)
        boolean(value)
    }

    /// A key and an array; `body` writes its values.
    mutating func field(_ key: String, array body: (inout JSONText) throws -> Void) rethrows {
        self.key(key)
        try array(body)
    }

    /// A key and an object; `body` writes its keys and values.
    mutating func field(_ key: String, object body: (inout JSONText) throws -> Void) rethrows {
        self.key(key)
        try object(body)
    }
}
