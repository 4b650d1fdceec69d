/** The answer of page_map for so many files in directories of 25. */
export function fileMap(count: number) {
  const files = Array.from({ length: count }, (_, at) => at);
  return {
    paths: files.map(
      (at) => `area${at % 40}/part${Math.floor(at / 1_000)}/dir${Math.floor(at / 25)}/file${at}.ts`,
    ),
    lines: files.map((at) => 10 + ((at * 7_919) % 900)),
    symbols: files.map((at) => at % 30),
    languages: files.map((at) => ["typescript", "go", "python", "markdown", ""][at % 5] ?? ""),
    changes: files.map((at) => (at % 11 === 0 ? at % 60 : 0)),
    directories: { ".": { state: "fresh", summary: "A large project." } },
  };
}
