import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { counted } from "../app/format.ts";
import type { MapColors } from "./map-colors.ts";
import { layoutTree, type MapBox, type MapNode } from "./treemap.ts";

interface MapCanvasProps {
  readonly node: MapNode;
  readonly colors: MapColors;
  zoom(path: string): void;
}

/** The treemap on a canvas: thousands of boxes stay smooth. The list beside it says the same to a screen reader. */
export function MapCanvas({ node, colors, zoom }: MapCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [hovered, setHovered] = useState<MapBox | undefined>(undefined);
  useEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const boxes = useMemo(() => layoutTree(node, size.width, size.height), [node, size]);
  useEffect(() => {
    if (canvas.current) draw(canvas.current, boxes, colors);
  }, [boxes, colors]);
  const boxAt = (event: MouseEvent) => boxUnder(boxes, event.offsetX, event.offsetY);
  return (
    <div class="map-frame" ref={frame}>
      <canvas
        ref={canvas}
        width={size.width}
        height={size.height}
        role="img"
        aria-label="Treemap of the directory. The list beside it has the same."
        onMouseMove={(event) => setHovered(boxAt(event))}
        onMouseLeave={() => setHovered(undefined)}
        onClick={(event) => {
          const box = boxAt(event);
          if (box) zoom(directoryBelow(node, box.node));
        }}
      />
      {hovered && (
        <p class="map-tip" style={tipPlace(hovered, size)}>
          <strong>{hovered.node.path}</strong> {counted(hovered.node.size, "line")}
        </p>
      )}
    </div>
  );
}

/** A click goes one directory deeper, towards what was clicked. */
function directoryBelow(from: MapNode, to: MapNode): string {
  const rest = to.path.slice(from.path === "" ? 0 : from.path.length + 1);
  const [name = ""] = rest.split("/");
  const isFile = !rest.includes("/") && to.file !== undefined;
  return isFile ? from.path : [from.path, name].filter(Boolean).join("/");
}

/** The innermost box; inner boxes come after outer ones. */
const boxUnder = (boxes: readonly MapBox[], x: number, y: number) =>
  boxes.findLast((box) => x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height);

const tipPlace = ({ x, y, height }: MapBox, size: { width: number; height: number }) => ({
  left: `${Math.min(x, size.width - 260)}px`,
  ...(y + height > size.height - 40
    ? { bottom: `${size.height - y + 4}px` }
    : { top: `${y + height + 4}px` }),
});

function draw(canvas: HTMLCanvasElement, boxes: readonly MapBox[], colors: MapColors): void {
  const context = canvas.getContext("2d");
  if (!context || canvas.clientWidth === 0) return;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  context.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  const [surface, ink] = [style.backgroundColor, style.color];
  context.font = `11px ${style.fontFamily}`;
  for (const { node, x, y, width, height, hasHead } of boxes) {
    if (node.file === undefined) {
      context.fillStyle = surface;
      context.fillRect(x, y, width, height);
      if (hasHead) label(context, node.name, { x, y, width, ink });
      continue;
    }
    context.fillStyle = colors.colorOf(node);
    context.fillRect(x, y, Math.max(0.5, width - 0.75), Math.max(0.5, height - 0.75));
  }
}

interface LabelPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly ink: string;
}

function label(context: CanvasRenderingContext2D, name: string, { x, y, width, ink }: LabelPlace): void {
  context.save();
  context.beginPath();
  context.rect(x + 3, y, width - 6, 16);
  context.clip();
  context.fillStyle = ink;
  context.fillText(name, x + 4, y + 12);
  context.restore();
}
