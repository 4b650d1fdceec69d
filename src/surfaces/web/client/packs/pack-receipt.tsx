import { counted } from "../app/format.ts";
import { CommandLine } from "../parts/states.tsx";
import type { ShownPack } from "./pack-pane.tsx";

interface PackReceiptProps {
  readonly pack: ShownPack;
  onBudget(budget: number): void;
}

/** What was left out and why, what the next budget would add, and which rooms gave nothing. */
export function PackReceipt({ pack: { receipt }, onBudget }: PackReceiptProps) {
  const { next, left_out, empty_rooms } = receipt;
  return (
    <div class="receipt">
      {next && (
        <div>
          <h3>
            {counted(next.budget, "token")} would add{" "}
            <button type="button" class="quiet" onClick={() => onBudget(next.budget)}>
              Use this budget
            </button>
          </h3>
          <ul>
            {next.adds.map((title) => (
              <li key={title}>{title}</li>
            ))}
          </ul>
        </div>
      )}
      <h3>Left out</h3>
      {left_out.length === 0 && <p class="faint">Nothing.</p>}
      <ul>
        {left_out.map(({ room, title, where, reason }) => (
          <li key={`${room} ${title} ${where}`}>
            <span class="tag">{reason}</span> {title} <span class="path faint">{where}</span>
          </li>
        ))}
      </ul>
      {empty_rooms.length > 0 && <h3>Rooms that gave nothing</h3>}
      <ul>
        {empty_rooms.map(({ room, reason, command }) => (
          <li key={room}>
            {room.replace("-", " ")}: <span class="faint">{reason}</span>{" "}
            {command !== undefined && <CommandLine command={command} />}
          </li>
        ))}
      </ul>
    </div>
  );
}
