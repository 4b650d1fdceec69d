export function MemoryView() {
  return <h1>Memory</h1>;
}
