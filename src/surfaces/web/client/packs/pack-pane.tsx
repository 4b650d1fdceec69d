import { useState } from "preact/hooks";
import { counted, number } from "../app/format.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { EditorLinks } from "../parts/editor-links.tsx";
import { StackedBar } from "../parts/stacked-bar.tsx";
import { TextBox } from "../parts/text-box.tsx";
import { PackReceipt } from "./pack-receipt.tsx";

export interface ShownPack {
  readonly pack_id: string;
  readonly task: string;
  readonly budget: number;
  readonly tokens: number;
  readonly markdown: string;
  readonly items: readonly ShownPackItem[];
  readonly receipt: {
    readonly left_out: readonly {
      readonly room: string;
      readonly title: string;
      readonly where: string;
      readonly reason: string;
    }[];
    readonly next?: { readonly budget: number; readonly adds: readonly string[] };
    readonly empty_rooms: readonly {
      readonly room: string;
      readonly reason: string;
      readonly command?: string;
    }[];
  };
}
interface ShownPackItem {
  readonly id: string;
  readonly room: string;
  readonly kind: string;
  readonly title: string;
  readonly size: string;
  readonly score: number;
  readonly why: string;
  readonly path: string;
  readonly start: number;
  readonly text: string;
  readonly orders: readonly number[];
  readonly redacted: readonly string[];
}

const ROOMS = ["team-memory", "directory-contexts", "code-index", "documents", "context-caches"];
const TABS = ["Items", "As the agent gets it", "Receipt"] as const;
type PackTab = (typeof TABS)[number];

interface PackPaneProps {
  readonly pack: ShownPack;
  onBudget(budget: number): void;
}

export function PackPane({ pack, onBudget }: PackPaneProps) {
  const [tab, setTab] = useState<PackTab>("Items");
  return (
    <section class="panel pack-pane" aria-label={`Pack ${pack.pack_id}`}>
      <header class="row">
        <h2>
          {number(pack.tokens)} of {counted(pack.budget, "token")}
        </h2>
        <code class="faint">{pack.pack_id}</code>
        <CopyButton text={pack.markdown} label="Copy pack" />
      </header>
      <StackedBar label="Share of each room" unit="tokens" parts={shares(pack)} />
      <fieldset class="segments">
        <legend class="visually-hidden">Show</legend>
        {TABS.map((name) => (
          <label key={name}>
            <input
              type="radio"
              name={`tab-${pack.pack_id}`}
              checked={tab === name}
              onChange={() => setTab(name)}
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      {tab === "Items" && <Items pack={pack} />}
      {tab === "As the agent gets it" && (
        <TextBox class="markdown" label="The pack as the agent gets it">
          {pack.markdown}
        </TextBox>
      )}
      {tab === "Receipt" && <PackReceipt pack={pack} onBudget={onBudget} />}
    </section>
  );
}

function Items({ pack }: { readonly pack: ShownPack }) {
  const longest = Math.max(1, ...pack.items.map(({ text }) => text.length));
  return (
    <ol class="pack-items">
      {pack.items.map((item) => (
        <li key={item.id}>
          <details>
            <summary>
              <span class={`swatch fill-${colorOf(item.room)}`} />
              <span class="pack-title">{item.title}</span>
              <span class="faint">
                {item.kind} · {item.size}
              </span>
              <span class="pack-size" title={`about ${counted(tokensOf(pack, item), "token")}`}>
                <span
                  class={`fill-${colorOf(item.room)}`}
                  style={{ width: `${(item.text.length / longest) * 100}%` }}
                />
              </span>
            </summary>
            <p class="faint">
              {item.why}
              {item.orders.length > 0 && " · has lines that look like orders to an agent"}
              {item.redacted.length > 0 && ` · redacted: ${item.redacted.join(", ")}`}
            </p>
            {item.path !== "" && (
              <p class="row">
                <span class="path">
                  {item.path}:{item.start}
                </span>
                <EditorLinks path={item.path} line={item.start} />
              </p>
            )}
            <TextBox label={`Text of ${item.title}`}>{item.text}</TextBox>
          </details>
        </li>
      ))}
    </ol>
  );
}

const colorOf = (room: string) => ROOMS.indexOf(room) + 1;

/** The answer has tokens as a whole; an item has its share of the text. */
function tokensOf({ items, tokens }: ShownPack, { text }: ShownPackItem): number {
  const all = items.reduce((sum, item) => sum + item.text.length, 0);
  return Math.round((text.length / Math.max(1, all)) * tokens);
}

function shares(pack: ShownPack) {
  const { items } = pack;
  return [...ROOMS, "other"]
    .map((room, at) => ({
      name: room.replace("-", " "),
      value: items
        .filter((item) => (room === "other" ? !ROOMS.includes(item.room) : item.room === room))
        .reduce((sum, item) => sum + tokensOf(pack, item), 0),
      color: room === "other" ? 0 : at + 1,
    }))
    .filter(({ value }) => value > 0);
}
