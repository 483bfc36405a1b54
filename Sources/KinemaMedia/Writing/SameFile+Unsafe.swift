package import Foundation

/// Whether two paths lead to the same existing file, also through links.
package func sameFile(_ one: URL, _ other: URL) -> Bool {
    var first = stat()
    var second = stat()
    // SAFETY: `stat` fills the structures; both live on this stack.
    guard stat(one.path, &first) == 0, stat(other.path, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
}
