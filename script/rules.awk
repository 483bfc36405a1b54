# House rules that neither compiler nor formatter checks, for Swift files in Sources/ and Tests/.
#
#     awk -f script/rules.awk script/layers.txt FILE …
#
# Prints one line per finding: "path:line: error: …" or "path:line: warning: …". It trusts the formatter: a block closes at
# the indent at which it opens.

function report(kind, line, text) { printf "%s:%d: %s: %s\n", FILENAME, line, kind, text }

function indent(text) { match(text, /^ */); return RLENGTH }

function base(path) { sub(/.*\//, "", path); return path }

function target(path) { return path ~ /^Sources\// ? part(path, 2) : "" }

function part(path, n,    pieces) { split(path, pieces, "/"); return pieces[n] }

# ---- imports
FILENAME ~ /layers\.txt$/ {
    if ($0 ~ /^#/ || NF == 0) next
    known[$1] = 1
    for (i = 2; i <= NF; i++) allowed[$1, $i] = 1
    next
}

# ---- a new file
FNR == 1 {
    finish()
    lastFile = FILENAME
    split("", starts)
    split("", awaiting)
    publicKind = ""
    documented = unsafeLine = safety = previousComment = inText = reexports = 0
    library = target(FILENAME)
    maySkipSafety = base(FILENAME) !~ /(\+Unsafe|Handle)\.swift$/
    if (library != "" && !(library in known))
        report("error", 1, "target " library " has no line in script/layers.txt")
}

{ lines = FNR }

/^@_exported / { reexports = 1 }

# Text in triple quotes is not code.
{
    quotes = gsub(/"""/, "\"\"\"")
    wasText = inText
    if (quotes % 2 == 1) inText = !inText
    if (wasText) next
}

library != "" && /^ *(@[A-Za-z_]+(\([a-z]+\))? +)*((public|package|internal|fileprivate|private) +)?import +/ {
    module = $0
    sub(/^.*import +((struct|class|enum|protocol|func|var|let|typealias) +)?/, "", module)
    sub(/[ .\/].*$/, "", module)
    if (!((library, module) in allowed) && !(("*", module) in allowed))
        report("error", FNR, library " may not import " module " (script/layers.txt)")
    if (module ~ /^C[A-Z]/ && maySkipSafety)
        report("error", FNR, "C module " module " outside a file named +Unsafe.swift or Handle.swift")
    next
}

# ---- unsafe code
{
    code = $0
    gsub(/"([^"\\]|\\.)*"/, "\"\"", code)
    comment = code ~ /\/\//
    if (code ~ /\/\/ SAFETY:/) safety = 1
    sub(/\/\/.*/, "", code)
}

library != "" && code ~ /(Unsafe[A-Za-z]*(Pointer|Bytes)|withUnsafe|unsafeBitCast|unsafeDowncast|OpaquePointer|Unmanaged[<.])/ {
    if (maySkipSafety) report("error", FNR, "unsafe code outside a file named +Unsafe.swift or Handle.swift")
    else if (!unsafeLine) unsafeLine = FNR
}

library != "" && code ~ /(^|[^A-Za-z_])(try!|as!|fatalError\()/ {
    report("error", FNR, "no try!, as! or fatalError: throw a KinemaError")
}

library != "" && code ~ /(^|[^A-Za-z_])JSONEncoder\(\)/ && base(FILENAME) != "JSONText.swift" {
    report("error", FNR, "JSONEncoder.ordered gives the same bytes in every run")
}

code ~ /@unchecked Sendable|nonisolated\(unsafe\)/ && !comment && !previousComment {
    report("error", FNR, "say in a comment why @unchecked Sendable or nonisolated(unsafe) is safe")
}

# ---- cases of public enums and requirements of public protocols
publicKind != "" && indent($0) == publicIndent && /^ *}/ { publicKind = "" }

publicKind == "enum" && indent($0) == publicIndent + 4 && /^ *(indirect )?case [a-z`]/ && !documented {
    report("error", FNR, "a case of a public enum needs a doc comment")
}

publicKind == "protocol" && indent($0) == publicIndent + 4 && !documented &&
    /^ *((static|mutating|consuming|nonisolated) )*(func|var|init|subscript|associatedtype)[ (<]/ {
    report("error", FNR, "a requirement of a public protocol needs a doc comment")
}

library != "" && publicKind == "" && /^ *public .*(enum|protocol) +[A-Z].*{$/ {
    publicKind = $0 ~ /protocol +[A-Z]/ ? "protocol" : "enum"
    publicIndent = indent($0)
}

# ---- length of functions and of computed properties
{
    depth = indent($0)
    if ($0 ~ /^ *}/ && depth in starts) {
        size = FNR - starts[depth] + 1
        if (size > 100) report("error", starts[depth], "this function has " size " lines; 100 is the limit")
        else if (size > 60) report("warning", starts[depth], "this function has " size " lines; can it be split?")
        delete starts[depth]
    }
    if (code ~ /^ *((@[A-Za-z]+(\([^)]*\))?|public|package|internal|fileprivate|private|static|override|mutating|consuming|borrowing|nonisolated|isolated|convenience|required|final|async|lazy) +)*(func +[^ ]|init[?(<]|deinit|subscript[(<]|(var .*{ *$))/)
        awaiting[depth] = FNR
    if (depth in awaiting && code ~ /{ *([a-zA-Z_, ()]+ in)? *$/) {
        starts[depth] = awaiting[depth]
        delete awaiting[depth]
    } else if (depth in awaiting && awaiting[depth] != FNR && $0 !~ /^ *(\)|where )/ && NF > 0) {
        delete awaiting[depth]
    }
}

# ---- state for the next line
{
    if ($0 ~ /^ *\/\/\// || $0 ~ /\*\/ *$/) documented = 1
    else if ($0 !~ /^ *@/) documented = 0
    previousComment = $0 ~ /^ *\/\//
}

function finish() {
    if (lastFile == "") return
    if (unsafeLine && !safety)
        printf "%s:%d: error: unsafe code needs a line // SAFETY: that says why it is sound\n", lastFile, unsafeLine
    if (lines > 500) printf "%s:%d: error: %d lines; 500 is the limit\n", lastFile, lines, lines
    else if (lines > 400) printf "%s:%d: warning: %d lines; can it be split?\n", lastFile, lines, lines
    if (lastFile !~ /^Sources\//) return
    sources++
    if (lines < 120) short++
    # Platforms, unsafe code, fitted numbers and re-exports have their own files, however short.
    if (lines < 40 && lastFile !~ /(\+Unsafe|Handle|Weights|Main)\.swift$/ && !reexports)
        printf "%s:1: warning: %d lines; can it join the file it is read with?\n", lastFile, lines
}

# Things are easier to find in few files, at least half of them 120 lines or longer. Checked only in a run over all files.
END {
    finish()
    if (sources > 520) printf "Sources: error: %d files; 520 is the limit\n", sources
    if (sources > 100 && short > sources / 2)
        printf "Sources: error: %d of %d files are shorter than 120 lines; at most half may be\n", short, sources
}
