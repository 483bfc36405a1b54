import KinemaCore

extension JSONText {
    mutating func field(_ key: String, _ value: String?) {
        self.key(key)
        if let value { string(value) } else { null() }
    }

    mutating func field(_ key: String, _ value: Int?) {
        self.key(key)
        if let value { integer(value) } else { null() }
    }

    mutating func field(_ key: String, _ value: Double?, decimals: Int = 5) {
        self.key(key)
        if let value { number(value, decimals: decimals) } else { null() }
    }

    mutating func field(_ key: String, _ value: Bool) {
        self.key(key)
        boolean(value)
    }

    mutating func field(_ key: String, array body: (inout JSONText) throws -> Void) rethrows {
        self.key(key)
        try array(body)
    }

    mutating func field(_ key: String, object body: (inout JSONText) throws -> Void) rethrows {
        self.key(key)
        try object(body)
    }
}
