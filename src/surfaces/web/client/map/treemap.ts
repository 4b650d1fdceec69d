/** A directory or a file of the map. Sizes are lines. */
export interface MapNode {
  readonly name: string;
  readonly path: string;
  size: number;
  /** Place of the file in the columns of the answer; undefined for a directory. */
  readonly file?: number;
  readonly children: MapNode[];
}
export interface MapBox {
  readonly node: MapNode;
  readonly depth: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Directories that are large enough have their name on top. */
  readonly hasHead: boolean;
}
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const HEAD = 16;
const GAP = 2;
const SMALLEST = 1.5;

/** The directory tree of the files, each directory with the sum of its lines. */
export function buildTree(paths: readonly string[], lines: readonly number[]): MapNode {
  const root: MapNode = { name: "", path: "", size: 0, children: [] };
  const directories = new Map<string, MapNode>([["", root]]);
  for (const [file, path] of paths.entries()) {
    const cut = path.lastIndexOf("/");
    const parent = directoryAt(directories, cut < 0 ? "" : path.slice(0, cut));
    // An empty file still has a place.
    parent.children.push({
      name: path.slice(cut + 1),
      path,
      size: Math.max(1, lines[file] ?? 1),
      file,
      children: [],
    });
  }
  addUp(root);
  return root;
}

function directoryAt(directories: Map<string, MapNode>, path: string): MapNode {
  const known = directories.get(path);
  if (known) return known;
  const cut = path.lastIndexOf("/");
  const made: MapNode = { name: path.slice(cut + 1), path, size: 0, children: [] };
  directories.set(path, made);
  directoryAt(directories, cut < 0 ? "" : path.slice(0, cut)).children.push(made);
  return made;
}

function addUp(node: MapNode): number {
  if (node.file === undefined) {
    node.size = node.children.reduce((sum, child) => sum + addUp(child), 0);
    node.children.sort((a, b) => b.size - a.size);
  }
  return node.size;
}

export function findNode(root: MapNode, path: string): MapNode {
  let node = root;
  for (const name of path.split("/").filter(Boolean)) {
    const next = node.children.find((child) => child.name === name);
    if (!next) return node;
    node = next;
  }
  return node;
}

/** Boxes for everything below a directory, outer ones first. Boxes that would be invisible are left out. */
export function layoutTree(root: MapNode, width: number, height: number): MapBox[] {
  const boxes: MapBox[] = [];
  const place = (node: MapNode, area: Area, depth: number): void => {
    if (area.width < SMALLEST || area.height < SMALLEST) return;
    const isDirectory = node.file === undefined;
    const hasHead = isDirectory && depth > 0 && area.width > 56 && area.height > HEAD * 2.5;
    if (depth > 0) boxes.push({ node, depth, hasHead, ...area });
    if (!isDirectory) return;
    const gap = depth > 0 && area.width > 12 && area.height > 12 ? GAP : 0;
    const inner = {
      x: area.x + gap,
      y: area.y + (hasHead ? HEAD : gap),
      width: area.width - 2 * gap,
      height: area.height - (hasHead ? HEAD : gap) - gap,
    };
    for (const [child, box] of squarify(node.children, inner)) place(child, box, depth + 1);
  };
  place(root, { x: 0, y: 0, width, height }, 0);
  return boxes;
}

/** Rows of children whose boxes are as square as possible (Bruls, Huizing and van Wijk). Children are ordered by size. */
function squarify(nodes: readonly MapNode[], area: Area): [MapNode, Area][] {
  const placed: [MapNode, Area][] = [];
  const total = nodes.reduce((sum, { size }) => sum + size, 0);
  if (total === 0 || area.width <= 0 || area.height <= 0) return placed;
  const scale = (area.width * area.height) / total;
  let { x, y, width, height } = area;
  let from = 0;
  while (from < nodes.length && width > 0 && height > 0) {
    const side = Math.min(width, height);
    const to = endOfRow(nodes, from, { side, scale });
    const sum = sizeOf(nodes, from, to) * scale;
    const thickness = sum / side;
    let offset = 0;
    for (const node of nodes.slice(from, to)) {
      const length = (node.size * scale) / thickness;
      placed.push([
        node,
        width >= height
          ? { x, y: y + offset, width: thickness, height: length }
          : { x: x + offset, y, width: length, height: thickness },
      ]);
      offset += length;
    }
    if (width >= height) [x, width] = [x + thickness, width - thickness];
    else [y, height] = [y + thickness, height - thickness];
    from = to;
  }
  return placed;
}

/** The row ends before the child that would make its worst box less square. */
function endOfRow(
  nodes: readonly MapNode[],
  from: number,
  { side, scale }: { side: number; scale: number },
): number {
  const largest = (nodes[from]?.size ?? 0) * scale;
  let sum = 0;
  let worst = Number.POSITIVE_INFINITY;
  for (let at = from; at < nodes.length; at += 1) {
    const smallest = (nodes[at]?.size ?? 0) * scale;
    sum += smallest;
    const square = sum * sum;
    const ratio = Math.max((side * side * largest) / square, square / (side * side * smallest));
    if (ratio > worst) return at;
    worst = ratio;
  }
  return nodes.length;
}

function sizeOf(nodes: readonly MapNode[], from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += nodes[at]?.size ?? 0;
  return sum;
}
