extension Transformer {
    /// An estimator to whose examples this transformer is applied first.
    public func appending<Other>(_ other: Other) -> PreprocessingEstimator<Self, Other>
    where Other: Estimator, Output == Other.Transformer.Input {
        PreprocessingEstimator(self, other)
    }

    /// A supervised estimator to whose features this transformer is applied first.
    public func appending<Other>(_ other: Other) -> PreprocessingSupervisedEstimator<Self, Other>
    where Other: SupervisedEstimator, Output == Other.Transformer.Input {
        PreprocessingSupervisedEstimator(self, other)
    }

    /// This transformer where an estimator is wanted; fitting returns it as it is.
    public func adaptedAsEstimator() -> TransformerToEstimatorAdaptor<Self> {
        TransformerToEstimatorAdaptor(self)
    }

    /// This transformer where an updatable estimator is wanted; fitting returns it as it is.
    public func adaptedAsUpdatableEstimator() -> TransformerToUpdatableEstimatorAdaptor<Self> {
        TransformerToEstimatorAdaptor(self)
    }
}

/// What may follow an estimator; the result can be updated when both parts can.
extension Estimator {
    /// An estimator whose fitted transformer is followed by another transformer.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedEstimator<Self, TransformerToEstimatorAdaptor<Other>>
    where Other: KinemaCore.Transformer, Transformer.Output == Other.Input {
        ComposedEstimator(self, other.adaptedAsEstimator())
    }

    /// An estimator that fits this one and then the other.
    public func appending<Other>(_ other: Other) -> ComposedEstimator<Self, Other>
    where Other: Estimator, Transformer.Output == Other.Transformer.Input {
        ComposedEstimator(self, other)
    }

    /// A supervised estimator that fits this one to the features and then the other.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedSupervisedEstimator<EstimatorToSupervisedAdaptor<Self, Other.Annotation>, Other>
    where Other: SupervisedEstimator, Transformer.Output == Other.Transformer.Input {
        ComposedSupervisedEstimator(adaptedAsSupervised(annotationType: Other.Annotation.self), other)
    }

    /// This estimator where a supervised one is wanted; annotations are left out.
    public func adaptedAsSupervised<Annotation>(
        annotationType: Annotation.Type
    ) -> EstimatorToSupervisedAdaptor<Self, Annotation> where Annotation: Equatable {
        EstimatorToSupervisedAdaptor(self)
    }
}

/// What may follow a supervised estimator; the result can be updated when both parts can.
extension SupervisedEstimator {
    /// A supervised estimator whose fitted transformer is followed by another transformer.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedSupervisedEstimator<
        Self, EstimatorToSupervisedAdaptor<TransformerToEstimatorAdaptor<Other>, Annotation>
    > where Other: KinemaCore.Transformer, Transformer.Output == Other.Input {
        appending(other.adaptedAsEstimator())
    }

    /// A supervised estimator that fits this one and then the other to the features.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedSupervisedEstimator<Self, EstimatorToSupervisedAdaptor<Other, Annotation>>
    where Other: Estimator, Transformer.Output == Other.Transformer.Input {
        ComposedSupervisedEstimator(self, other.adaptedAsSupervised(annotationType: Annotation.self))
    }

    /// A supervised estimator that fits this one and then the other.
    public func appending<Other>(_ other: Other) -> ComposedSupervisedEstimator<Self, Other>
    where
        Other: SupervisedEstimator, Transformer.Output == Other.Transformer.Input, Annotation == Other.Annotation
    {
        ComposedSupervisedEstimator(self, other)
    }
}
