package import Foundation

/// Writes files whole or not at all.
package enum WholeFile {
    /// Makes the file, or puts it in the place of an existing one; behind a link, so that the link stays one.
    ///
    /// Devices and pipes are written to; they are never replaced. Throws `unwritableOutput`.
    package static func write(_ bytes: some Collection<UInt8>, to url: URL) throws(KinemaError) {
        let target = url.resolvingSymlinksInPath()
        do {
            switch kind(of: target) {
            case .typeDirectory?: throw POSIXError(.EISDIR)
            case .typeRegular?: try Data(bytes).write(to: target, options: .atomic)
            // A link to nothing that has a name, such as /dev/stdout when it is a pipe.
            case nil where kind(of: url) == nil: try Data(bytes).write(to: target, options: .atomic)
            default:
                let device = try FileHandle(forWritingTo: url)
                try device.write(contentsOf: Data(bytes))
                try device.close()
            }
        } catch {
            throw .unwritable(url.path, error)
        }
    }

    private static func kind(of url: URL) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: url.path))?[.type] as? FileAttributeType
    }
}
