/// An analysis that reads only the poses and hands of a frame, so that its frames may come without pictures.
package protocol PoseOnlyAnalysis: Analysis {}
