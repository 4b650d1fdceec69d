import { expect, test, vi } from "vitest";
import { query } from "../../../../tests/support/postgres-server.ts";
import { describeWithPostgres } from "../../../../tests/support/team-database.ts";
import { addToken } from "../access/tokens.ts";
import { TeamDatabase } from "./team-database.ts";

const WAIT = { timeout: 60_000, interval: 20 };

describeWithPostgres("the team's database", (postgres) => {
  test("who listens hears of a change, whatever else was notified, also after the connection broke", async () => {
    const url = await postgres().createDatabase();
    await using database = await TeamDatabase.open(url);
    const over = new AbortController();
    let heard = 0;
    const ended = database.listen(() => {
      heard++;
    }, over.signal);
    const untilHeard = (least: number) => vi.waitFor(() => expect(heard).toBeGreaterThanOrEqual(least), WAIT);
    await untilHeard(1);
    await addToken(database, { name: "ana", days: 1, callsPerMinute: 1 }, "test");
    await untilHeard(2);
    await query(url, "SELECT pg_notify('contextful_team', '{')");
    await untilHeard(3);
    await query(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'contextful listener'",
    );
    await untilHeard(4);
    await addToken(database, { name: "ben", days: 1, callsPerMinute: 1 }, "test");
    await untilHeard(5);
    over.abort();
    await ended;
  });
});
