export function PacksView() {
  return <h1>Packs</h1>;
}
