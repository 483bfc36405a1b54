package struct StudioServices: Sendable {
    package var live: any LiveServing
    package var uploads: UploadStore
    package var history: HistoryStore?
    /// The classifiers trained on marks; nil without a history.
    package var classifiers: ClassifierLibrary?
    package var exercises: ExerciseShelf

    package init(
        live: any LiveServing, uploads: UploadStore, history: HistoryStore? = nil,
        classifiers: ClassifierLibrary? = nil, exercises: ExerciseShelf = ExerciseShelf()
    ) {
        (self.live, self.uploads, self.history, self.classifiers) = (live, uploads, history, classifiers)
        self.exercises = exercises
    }
}
