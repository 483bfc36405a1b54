import Foundation
@testable import KinemaCommands
@testable import KinemaCore

/// Tables, journals and other files that the command reads besides media.
extension Harness {
    /// Files of fitted transformers.
    static let archives = Harness(name: "archives") {
        var archive = EstimatorArchive()
        try archive.encode([1.5, 2.5])
        try archive.encode("name")
        try archive.encodeOptimizer(["a": 1])
        return [[UInt8](try JSONEncoder().encode(archive))]
    } body: { bytes in
        _ = try? EstimatorArchive.read(from: file("archive.json", bytes)) { decoder in
            _ = try decoder.decode([Double].self)
            _ = try decoder.decodeOptimizer([String: Int].self)
            return try decoder.decode(String.self)
        }
    }

    /// Tables of clips, counts and pinches.
    static let labelTables = Harness(name: "label-tables") {
        [
            "file,label,start,end,person\nlabels.csv,squat,0,1.5,a\n\"b,c.mp4\",lunge,,,\n",
            "file,reps,reps_low,reps_high,exercise\nlabels.csv,5,4,6,squat\n",
            "file,count\r\nlabels.csv,3\r\n", "file,closed,apart\nlabels.csv,1.5,2\nlabels.csv,3,4\n",
        ].map(bytes)
    } body: { bytes in
        let url = file("labels.csv", bytes)
        for clip in (try? LabelledClip.read(url.path)) ?? [] {
            expect(clip.range.map { $0.lowerBound < $0.upperBound } ?? true, "a clip's part has a length")
        }
        _ = try? CountLabel.read(url)
        _ = try? PinchLabel.read(url, folder: nil)
    }

    /// Truth of rendered crowds, and in MOTChallenge's format.
    static let trackTruths = Harness(name: "track-truths") {
        [
            "1,1,10,20,30,40,1,1,1\n2,1,11,20,30,40,1,1,0.5\n2,2,50,20,30,40,0,7,1\n",
            """
            {"width":64,"height":48,"frameCount":1,"frameRate":{"timescale":30,"ticksPerFrame":1},"cuts":[],"people":[\
            {"id":1,"exercises":[],"repetitions":[],"occlusions":[],"frames":[{"keypoints":{"nose":[0.5,0.5,2]},\
            "keypoints3D":{"nose":[0,0,0]},"box":[0.4,0.2,0.2,0.6],"visibleShare":1,"isHidden":false}]}]}
            """,
        ].map(bytes)
    } body: { bytes in
        guard let truth = try? TrackTruth(contentsOf: file("gt.txt", bytes)) else { return }
        for frame in 0..<3 { _ = truth.entries(frame, width: 64, height: 48) }
    }

    /// Lines with jobs for `kinema serve-jobs`.
    static let jobs = Harness(name: "jobs") {
        [
            #"{"id":1,"task":"count","path":"/dev/null","options":["--people","all"]}"#,
            #"{"id":"a","task":"pose","path":"/etc/hostname"}"#,
            #"{"id":-9,"task":"toss","path":"/","options":["--plot=a"]}"#,
        ].map(bytes)
    } body: { bytes in
        guard let job = try? JobRequest(bytes) else { return }
        expect(job.path.hasPrefix("/") && !job.options.contains { $0.hasPrefix("--plot") }, "a job writes nothing")
    }

    /// Files that a batch left behind.
    static let manifests = Harness(name: "batches") {
        [
            #"{"options":"pose","result":"a.jsonl","seconds":1.5,"source":"/a.mp4","status":"done"}"# + "\n"
                + #"{"error":"no","options":"pose","seconds":0,"source":"/b.mp4","status":"failed"}"# + "\n",
            #"{"/a.mp4":1}"#,
        ].map(bytes)
    } body: { bytes in
        let url = file(BatchManifest.name, bytes)
        guard let manifest = try? BatchManifest(reading: folder), (try? manifest.settle()) != nil else { return }
        let again = try? BatchManifest(reading: folder)
        expect(again?.entries.count == manifest.entries.count, "what was resumed can be resumed again")
        _ = file(BatchJournal.name, bytes)
        _ = BatchJournal(in: folder, takesUp: true, keepsParts: false).deaths
        try? FileManager.default.removeItem(at: url)
    }
}
