import { expect, test } from "vitest";
import { testMachine } from "../../tests/support/machine.ts";
import { openApp } from "../app.ts";
import { commandsOf } from "../core/tool.ts";
import { groupOfCommand } from "../surfaces/cli/command-line.ts";
import { roomOfWord } from "../surfaces/cli/program.ts";
import { ROOMS } from "../surfaces/rooms.ts";
import { openRoomAlone } from "./open-room.ts";

const machine = testMachine("/nowhere");

test("a room that is opened alone has the tools that it has in the app", async () => {
  const { tools } = openApp(machine);
  const alone = await Promise.all(ROOMS.map((room) => openRoomAlone(machine, room)));
  expect(alone.filter((app) => app !== undefined).length).toBeGreaterThan(1);
  for (const [at, app] of alone.entries()) {
    const inApp = tools.filter(({ room }) => room === ROOMS[at]).map(({ name }) => name);
    if (app) expect(app.tools.map(({ name }) => name)).toEqual(inApp);
  }
});

test("all commands that begin with a word of one room are commands of that room", () => {
  const first = openApp(machine).tools.flatMap((tool) =>
    commandsOf(tool).map((command) => ({
      room: tool.room,
      word: groupOfCommand(tool, command) ?? command.words.split(" ")[0],
    })),
  );
  const known = first.filter(({ word }) => roomOfWord(word) !== undefined);
  expect(new Set(known.map(({ word }) => word))).toContain("search");
  expect(known.filter(({ room, word }) => roomOfWord(word) !== room)).toEqual([]);
});
