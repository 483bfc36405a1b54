import CFFmpeg
public import Foundation
public import KinemaCore

package struct FrameOrientation: Sendable { 
  package func stored(_ p: SIMD2<Double>) -> SIMD2<Double> { p } }
package struct YCbCrMatrix: Sendable { package var lumaScale, lumaOffset, redFromV, greenFromU, greenFromV, blueFromU: Double }
package enum PlaneLayout: Sendable { case planar, semiPlanar(swapped: Bool), packed(red: Int, green: Int, blue: Int, step: Int), gray }
package struct FramePlanes {
  package let layout: PlaneLayout, storedWidth: Int, storedHeight: Int, bytesPerSample: Int, bitDepth: Int, chromaShiftX: Int, chromaShiftY: Int
  package let matrix: YCbCrMatrix, orientation: FrameOrientation
  let bases: [UnsafeRawPointer], strides: [Int]
  package func base(_ i: Int) -> UnsafeRawPointer { bases[i] }
  package func bytesPerRow(_ i: Int) -> Int { strides[i] }
}
public final class VideoFrame: @unchecked Sendable {
  public let id: TemporalSegmentIdentifier
  public let width: Int, height: Int
  let frame: UnsafeMutablePointer<AVFrame>
  public var time: TimeInterval { id.rangeInSeconds.lowerBound }
  init(_ f: UnsafeMutablePointer<AVFrame>, id: TemporalSegmentIdentifier) { frame = f; self.id = id; width = Int(f.pointee.width); height = Int(f.pointee.height) }
  deinit { var f: UnsafeMutablePointer<AVFrame>? = frame; av_frame_free(&f) }
  package func withPlanes<R>(_ body: (borrowing FramePlanes) throws -> R) rethrows -> R {
    let f = frame.pointee
    let b = [f.data.0, f.data.1, f.data.2].compactMap { $0.map { UnsafeRawPointer($0) } }
    let s = [Int(f.linesize.0), Int(f.linesize.1), Int(f.linesize.2)]
    let d = av_pix_fmt_desc_get(AVPixelFormat(rawValue: f.format))!.pointee
    let p = FramePlanes(layout: b.count == 3 ? .planar : .packed(red: 0, green: 1, blue: 2, step: 3), storedWidth: width, storedHeight: height, bytesPerSample: 1, bitDepth: 8, chromaShiftX: Int(d.log2_chroma_w), chromaShiftY: Int(d.log2_chroma_h),
      matrix: YCbCrMatrix(lumaScale: 1.164, lumaOffset: 16, redFromV: 1.596, greenFromU: -0.392, greenFromV: -0.813, blueFromU: 2.017), orientation: FrameOrientation(), bases: b, strides: s)
    return try body(p)
  }
  public func bitmap() throws -> Bitmap {
    var out = [UInt8](repeating: 255, count: width*height*4)
    let c = sws_getContext(Int32(width), Int32(height), AVPixelFormat(rawValue: frame.pointee.format), Int32(width), Int32(height), AV_PIX_FMT_BGRA, SWS_BILINEAR, nil, nil, nil)
    out.withUnsafeMutableBufferPointer { o in
      var src: [UnsafePointer<UInt8>?] = [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2, nil].map { $0.map { UnsafePointer($0) } }
      let ss = [frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2, 0]
      var dst: [UnsafeMutablePointer<UInt8>?] = [o.baseAddress, nil, nil, nil]; let ds: [Int32] = [Int32(width*4), 0, 0, 0]
      _ = sws_scale(c, &src, ss, 0, Int32(height), &dst, ds)
    }
    sws_freeContext(c)
    return Bitmap(width: width, height: height, pixels: out)
  }
}
public struct VideoReader: Sendable {
  public init() {}
  public static func read(contentsOf url: URL) async throws -> AsyncFrames { AsyncFrames(url: url) }
  public struct AsyncFrames: TemporalSequence, Sendable {
    public typealias Feature = VideoFrame
    public let url: URL
    public var count: Int? { nil }
    public func makeAsyncIterator() -> Iterator { Iterator(url) }
    public struct Iterator: AsyncIteratorProtocol {
      let d: Dec
      init(_ u: URL) { d = Dec(u.path) }
      public mutating func next() async throws -> TemporalFeature<VideoFrame>? { d.next().map { TemporalFeature(id: $0.id, feature: $0) } }
    }
  }
}
final class Dec: @unchecked Sendable {
  let q = NSCondition(); var frames: [VideoFrame] = []; var done = false
  init(_ path: String) {
    Thread.detachNewThread { [self] in
      var fc: UnsafeMutablePointer<AVFormatContext>?
      av_log_set_level(AV_LOG_QUIET)
      guard avformat_open_input(&fc, path, nil, nil) == 0 else { finish(); return }
      avformat_find_stream_info(fc, nil)
      let si = Int(av_find_best_stream(fc, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0))
      let st = fc!.pointee.streams[si]!
      let cc = avcodec_alloc_context3(avcodec_find_decoder(st.pointee.codecpar.pointee.codec_id))!
      avcodec_parameters_to_context(cc, st.pointee.codecpar); cc.pointee.thread_count = 1
      avcodec_open2(cc, nil, nil)
      let pkt = av_packet_alloc()!; var first: Int64?
      func drain() { while true { let f = av_frame_alloc()!; if avcodec_receive_frame(cc, f) != 0 { var g: UnsafeMutablePointer<AVFrame>? = f; av_frame_free(&g); return }
        let p = f.pointee.best_effort_timestamp; if first == nil { first = p }
        let b = st.pointee.time_base; let a = Int(p - first!) * Int(b.num)
        let v = VideoFrame(f, id: TemporalSegmentIdentifier(source: path, range: a..<(a+1), timescale: Int(b.den)))
        q.lock(); while frames.count >= 4 { q.wait() }; frames.append(v); q.broadcast(); q.unlock() } }
      while av_read_frame(fc, pkt) >= 0 { if Int(pkt.pointee.stream_index) == si { avcodec_send_packet(cc, pkt); drain() }; av_packet_unref(pkt) }
      avcodec_send_packet(cc, nil); drain(); finish()
    }
  }
  func finish() { q.lock(); done = true; q.broadcast(); q.unlock() }
  func next() -> VideoFrame? { q.lock(); defer { q.unlock() }; while frames.isEmpty && !done { q.wait() }; if frames.isEmpty { return nil }; let f = frames.removeFirst(); q.broadcast(); return f }
}
