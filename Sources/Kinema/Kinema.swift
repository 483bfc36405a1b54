@_exported public import KinemaCore
@_exported public import KinemaMedia
@_exported public import KinemaMotion
@_exported public import KinemaPorting
@_exported public import KinemaVision
