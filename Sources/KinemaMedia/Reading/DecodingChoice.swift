package enum DecodingChoice: Codable, Hashable, Sendable {
    case software
    /// A VA-API device, at the path or the first one; the processor decodes the rest, unless the device is required.
    case vaapi(device: String?, isRequired: Bool)

    /// Parses `software`, `auto` or `vaapi`, the last two also with a device (`vaapi:/dev/dri/renderD129`); else nil.
    package init?(_ text: String) {
        let name = text.prefix { $0 != ":" }
        let device = name.count < text.count ? String(text.dropFirst(name.count + 1)) : nil
        guard device == nil || device?.hasPrefix("/") == true else { return nil }
        switch name {
        case "software" where device == nil: self = .software
        case "auto": self = .vaapi(device: device, isRequired: false)
        case "vaapi": self = .vaapi(device: device, isRequired: true)
        default: return nil
        }
    }
}
