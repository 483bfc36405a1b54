import Benchmark

// `--stages` lists the stages for `script/benchmarks`: name, operations per iteration and unit, separated by tabs.
if CommandLine.arguments.dropFirst() == ["--stages"] {
    for stage in Stage.all { print(stage.name, stage.operations, stage.unit, separator: "\t") }
} else {
    let suite = BenchmarkSuite(name: "kinema")
    for stage in Stage.all { suite.register(benchmark: StageBenchmark(stage)) }
    Benchmark.main([suite])
}
