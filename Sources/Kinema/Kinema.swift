// Vision and Create ML Components bring Foundation along, so code for them rarely imports it.
@_exported public import Foundation
@_exported public import KinemaCore
@_exported public import KinemaCounting
@_exported public import KinemaFormats
@_exported public import KinemaImaging
@_exported public import KinemaLearning
@_exported public import KinemaMeasuring
@_exported public import KinemaMedia
@_exported public import KinemaMotion
@_exported public import KinemaPorting
@_exported public import KinemaPose
@_exported public import KinemaVision
