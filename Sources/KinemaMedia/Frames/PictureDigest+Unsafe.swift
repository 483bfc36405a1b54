extension DecodedPicture {
    /// A number that tells whether two pictures have the same brightness in every pixel.
    ///
    /// FNV-1a's step over eight bytes at a time (Fowler, Noll, Vo; 64 bit): no fingerprint against forgers.
    var digest: UInt64 {
        withPlanes { planes in
            let (plane, _, _) = planes.planes
            let bytesPerPixel =
                if case .packed(_, _, _, let bytes) = planes.layout { bytes } else { planes.bytesPerSample }
            let count = planes.storedWidth * bytesPerPixel
            var digest: UInt64 = 0xcbf2_9ce4_8422_2325
            for y in 0..<planes.storedHeight {
                // SAFETY: a row holds `count` bytes; the planes live while this closure runs.
                let row = UnsafeRawBufferPointer(start: plane.base + y * plane.bytesPerRow, count: count)
                var x = 0
                while x + 8 <= count {
                    digest = (digest ^ row.loadUnaligned(fromByteOffset: x, as: UInt64.self)) &* 0x0000_0100_0000_01b3
                    x += 8
                }
                while x < count {
                    digest = (digest ^ UInt64(row[x])) &* 0x0000_0100_0000_01b3
                    x += 1
                }
            }
            return digest
        }
    }
}
