import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaMedia

/// Files of other kinds are refused by what they are.
struct ForeignFileTests {
    @Test(
        arguments: [
            (Array("PAR1\u{15}\u{4}".utf8), "Parquet"), (Array("PK\u{3}\u{4}xl/".utf8), "zip"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0], "xz"), ([0x89, 0x48, 0x44, 0x46, 13, 10], "HDF5"),
            (Array("HIERARCHY\nROOT".utf8), "BVH"), ([2, 0x50, 19, 0], "C3D"), ([0x80, 0x04, 0x95, 0], "pickle"),
            ([0xFF, 0xFE, 0x66, 0], "UTF-16"), (Array("version https://git-lfs.github.com".utf8), "Git LFS"),
        ] as [([UInt8], String)]) func `a file is named by its first bytes`(bytes: [UInt8], words: String) async throws
    {
        let folder = try TemporaryFolder()
        let url = folder.file("t.bin")
        try Data(bytes + [UInt8](repeating: 0, count: 64)).write(to: url)
        for message in [
            ForeignFile.refusal(of: url)?.message,
            await #expect(throws: KinemaError.self) { _ = try await VideoReader.read(contentsOf: url) }?.message,
        ] {
            #expect(message?.contains(words) == true && message?.contains("markers (.trc)") == true, "\(message ?? "")")
        }
    }

    @Test func `videos and pictures are not`() {
        for head in ["\0\0\0\u{18}ftypisom", "RIFF....AVI ", "\u{89}PNG\r\n", "P6 4 4 255", "GIF89a"] {
            #expect(ForeignFile.name(Array(head.utf8)) == nil)
        }
    }

    @Test func `what holds no poses is known whatever its name, and what may hold some is not`() {
        for head in [
            "<!DOCTYPE html>\n", "%PDF-1.7\n", "SQLite format 3\0", "version https://git-lfs", "\u{7F}ELF\u{2}",
        ] {
            #expect(ForeignFile.holdsNoPoses(Array(head.utf8)), "\(head)")
        }
        for head in ["\0\0\0\u{18}ftypisom", "\0\0\0\u{18}moov", "RIFF....AVI ", "OggS\0", "GIF89a"] {
            #expect(ForeignFile.holdsNoPoses(Array(head.utf8)), "\(head)")
        }
        #expect(
            ForeignFile.holdsNoPoses([0x1A, 0x45, 0xDF, 0xA3]) && ForeignFile.holdsNoPoses([0xFF, 0xD8, 0xFF, 0xE0]))
        // Tables, also of a single line or with an empty one first; packed files, and UTF-16.
        for head in [
            "x,y\n", "\nPelvis_x,Pelvis_y\n", "Frame,Riff\n", "", "\u{93}NUMPY", "PathFileType", "PK\u{3}\u{4}",
        ] {
            #expect(!ForeignFile.holdsNoPoses(Array(head.utf8)), "\(head)")
        }
        #expect(!ForeignFile.holdsNoPoses([0x1F, 0x8B, 8]) && !ForeignFile.holdsNoPoses([0xFF, 0xFE, 0x66, 0]))
    }

    @Test func `a tar archive is known by its middle`() {
        let head = [UInt8](repeating: 0, count: 257) + Array("ustar".utf8)
        #expect(head.count == ForeignFile.headSize && ForeignFile.name(head) == "a tar archive")
        #expect(ForeignFile.name(head.dropLast()) == nil && ForeignFile.name(Array("PK\u{5}\u{6}".utf8)) != nil)
    }

    @Test func `a folder without poses is one`() throws {
        let folder = try TemporaryFolder()
        #expect(ForeignFile.refusal(of: folder.url)?.message.hasPrefix("is a folder; give a video") == true)
    }
}
