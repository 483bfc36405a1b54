package import Foundation
package import KinemaCore

/// Files of other kinds, named by their first bytes so that a refusal says what they are.
package enum ForeignFile {
    private static let signatures: [(bytes: [UInt8], name: String)] = [
        (Array("PAR1".utf8), "a Parquet table\(byModule)"), (Array("ARROW1".utf8), "a Feather table"),
        (
            Array("PK\u{3}\u{4}".utf8),
            "a zip archive without a file of poses first (or a document that is one, such as .xlsx)"
        ),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "a file packed with xz that contains no poses"),
        (Array("BZh".utf8), "a file packed with bzip2"),
        ([0x28, 0xB5, 0x2F, 0xFD], "a file packed with Zstandard"), ([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive"),
        (Array("Rar!".utf8), "a RAR archive"), ([0x1F, 0x8B], "a file packed with gzip that contains no poses"),
        ([0x89, 0x48, 0x44, 0x46], "an HDF5 file (.h5, .slp, .mat)\(byModule)"),
        (Array("HIERARCHY".utf8), "a BVH skeleton\(byModule)"),
        (Array("MATLAB 5.0".utf8), "a MATLAB file"), (Array("SQLite format 3".utf8), "an SQLite database"),
        (Array("%PDF".utf8), "a PDF document"), ([0xD0, 0xCF, 0x11, 0xE0], "an old Office document"),
        ([0x80, 0x03], "a Python pickle"), ([0x80, 0x04, 0x95], "a Python pickle"),
        ([0x80, 0x05, 0x95], "a Python pickle"),
        ([0xFF, 0xFE], "a text in UTF-16 without poses"), ([0xFE, 0xFF], "a text in UTF-16 without poses"),
        (Array("<?xml".utf8), "an XML document"),
        (Array("<!DOCTYPE".utf8), "a page of HTML"), (Array("<html".utf8), "a page of HTML"),
        (Array("version https://git".utf8), "a pointer of Git LFS; fetch the file (git lfs pull)"),
    ]

    /// Where those are read that need other libraries.
    private static let byModule = " (read by the Python module kinema)"

    /// What would be read instead.
    package static let readable =
        "give a video, an image, or poses as a table (.csv), lines of JSON, an array (.npy) or markers (.trc)"

    /// The kind of a file that begins with these bytes; nil for videos, pictures, poses and unknown files.
    package static func name(_ head: some Collection<UInt8>) -> String? {
        if let known = signatures.first(where: { head.starts(with: $0.bytes) }) { return known.name }
        // C3D: the block of its parameters, and a fixed byte.
        let start = Array(head.prefix(2))
        return start.count == 2 && (2...10).contains(start[0]) && start[1] == 0x50
            ? "a C3D file of markers\(byModule)" : nil
    }

    /// Why a file or a folder that is no pose file cannot be read; nil if it may be a video or an image.
    package static func refusal(of url: URL) -> KinemaError? {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
            let text = "is a folder; give a video or image file, or a folder of OpenPose's or Ultralytics' files"
            return KinemaError(.unreadableInput, text, file: url.path)
        }
        return BoundedFile.head(of: url, count: 32).flatMap { name($0) }.map { refusal($0, url.path) }
    }

    static func refusal(_ name: String, _ source: String) -> KinemaError {
        KinemaError(.unreadableInput, "is \(name), which cannot be read; \(readable)", file: source)
    }
}
