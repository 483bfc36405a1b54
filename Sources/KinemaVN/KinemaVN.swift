// `import Vision` brings Foundation, images, times and geometry along, so `import KinemaVN` does.
@_exported public import Foundation
@_exported public import KinemaCore
@_exported public import KinemaMedia
@_exported public import KinemaVision
