export function EvaluationView() {
  return <h1>Evaluation</h1>;
}
