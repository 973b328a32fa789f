import assert from "node:assert/strict";
import { Client } from "pg";
import { sharePostgresql } from "../../../lib/store/engine/postgresql/shared-postgresql";
// Its statements belong to no class of the store.
import "../../../lib/store/instance-loads";
import { allStatements, type Statement } from "../../../lib/store/schema/statement";
import { Store } from "../../../lib/store/store";
import { usePostgresql } from "../../support/store/use-postgresql";
import { LOCK_AWAITED } from "../../support/store/postgresql-server";
import { waitFor } from "../../support/wait-for";

const CHANGE = /UPDATE (requests|waits|replies|digests)\s+SET\s/;
/** Column of the state, by table. */
const STATE: Readonly<Record<string, string>> = {
  requests: "state",
  waits: "phase",
  replies: "state",
  digests: "phase",
};

/** What stands in no parentheses. */
function outermost(text: string): string {
  let depth = 0;
  let found = "";
  for (const letter of text) {
    if (letter === "(") depth++;
    if (depth === 0) found += letter;
    if (letter === ")") depth--;
  }
  return found;
}

/** The condition on the row itself; null for a statement that changes no state. */
function ownCondition(text: string): { readonly column: string; readonly where: string } | null {
  const [begin, table = ""] = CHANGE.exec(text) ?? [];
  if (begin === undefined) return null;
  // `coalesce(state, '') IN (…)` names the state as well.
  const update = text.slice(text.indexOf(begin)).replaceAll(/coalesce\((?:\w+\.)?(\w+), ''\)/g, "$1");
  const [, set = "", where = ""] = /SET\s([\s\S]*?)(?:\sWHERE\s([\s\S]*))?$/.exec(outermost(update)) ?? [];
  const column = STATE[table] ?? "";
  return new RegExp(`(?:^|,)\\s*${column}\\s*=`).test(set.split(/\sFROM\s/)[0] ?? "")
    ? { column, where }
    : null;
}

/** Those of the package that change a state. */
const changing = (): readonly Statement[] =>
  allStatements().filter(
    ({ name, text }) => !name.startsWith("test_") && ownCondition(text("sqlite")) !== null,
  );

describe("a statement that changes a state", () => {
  it("is found by this test", () => {
    assert.ok(changing().length > 25, `${changing().length}`);
  });

  for (const each of changing()) {
    it(`names the state that the row comes from: ${each.name}`, () => {
      for (const dialect of ["sqlite", "postgresql"] as const) {
        const { column, where } = ownCondition(each.text(dialect)) ?? { column: "", where: "" };
        assert.match(where, new RegExp(`\\b(?:\\w+\\.)?${column}\\s*(?:=|IN\\b)`), dialect);
      }
    });
  }
});

const NOW = 5_000;
const JOB = 1;
/** A request in each state, by its id. Of `leaving`, the second one has an owner who is dead. */
const ROWS = ["filling", "queued", "queued", "held", "parked", "leaving", "leaving", "settled"] as const;
const OWNED = 6;
const idOf = (row: number): number => row + 1;
const ids = ROWS.map((_, row) => idOf(row));
const list = (of: readonly unknown[]): string => JSON.stringify(of);
const answer = ["rejected", "{}", NOW] as const;
const released = list(ids.map((id) => [id, null, 0, 1, 0]));
const settled = list(ids.map((id) => [id, "sent", null, 1, "{}", 0, "me"]));
const claimed = ["a1", "me", NOW, 100, "origin", 7, null, null, null] as const;

/** Every statement that changes the state of a request, with parameters by which it takes all that it can. */
const CHANGES: Readonly<Record<string, readonly (string | number | null)[]>> = {
  jobs_queue_filled: ["j1", 100],
  queue_hold_job: [JOB, 100],
  queue_resume_job: [JOB, 100],
  queue_park: ["a1", 100, "[]", list([JOB])],
  queue_unpark: ["a1", 100, list(["n1"]), list([JOB])],
  queue_unpark_job: [JOB, 100],
  queue_drop_results: [JOB, 100, NOW],
  queue_cancel_job: [JOB, 100, ...answer],
  queue_cancel_ready: ["a1", 100, ...answer],
  queue_cancel_waiting: ["a1", 100, ...answer],
  queue_cancel_held: ["a1", 100, ...answer],
  queue_cancel_parked: ["a1", 100, ...answer],
  moves_mark: ["a1", 100, "me", list([JOB]), "there/1", 0],
  cancel_node_jobs: [list([JOB]), 100, ...answer],
  cancel_node_once_key: ["key", 100, ...answer, "a1", "n1", 0],
  cancel_node_id: ["client", 100, ...answer, "a1", "n1"],
  requests_claim: claimed,
  requests_claim_in_turn: claimed,
  requests_claim_listed: ["a1", "me", NOW, list(ids), "origin", 7, null, null, null],
  requests_release: ["me", released],
  requests_release_others: ["me", "[]", "a1"],
  requests_settle: [settled, NOW, 0],
  requests_settle_with_events: [settled, NOW, 0],
  requests_emitted: [list(ids), NOW],
  divisions_put_back: [OWNED, "me"],
  recovery_orphans: [NOW, 100, 0],
};
/** Those that wait for rows that somebody else is changing. The others leave them out. */
const WAITS = [
  "jobs_queue_filled",
  "requests_release",
  "requests_release_others",
  "requests_settle",
  "requests_settle_with_events",
  "requests_emitted",
] as const;

const FILL = `TRUNCATE jobs, snapshots, requests, recipients, instances, rates RESTART IDENTITY;
  INSERT INTO instances (id, host, process, started_at, beat_at) VALUES ('me', 'h', 1, 1, 1);
  INSERT INTO rates VALUES ('origin', 1, 1, 100, 100, 1, 0);
  INSERT INTO jobs (job_key, account, node, result_owner, channel, taken_at, sealed) VALUES ('j1', 'a1', 'n1', 'me', 'sms', 1, 1);`;

/** Fills the tables with requests in these states. */
const fill = (states: readonly string[]): string =>
  `${FILL} INSERT INTO requests (job, part, account, operation, state, priority, attempts, client_message_id, once_key, due, owner)
    VALUES ${states
      .map((state, row) => {
        const owner =
          state === "leaving" ? (idOf(row) === OWNED || states !== ROWS ? "'me'" : "'dead'") : "NULL";
        return `(1, ${row}, 'a1', 'sms', '${state}', 0, 0, 'client', 'key', ${row === 2 && states === ROWS ? 9_000 : "NULL"}, ${owner})`;
      })
      .join(", ")}`;

describe("changes of the state of requests that overlap", () => {
  const server = usePostgresql();
  const clients: Client[] = [];
  let schema: Awaited<ReturnType<typeof sharePostgresql>>;
  let texts: ReadonlyMap<string, string>;
  const ALL = Object.keys(CHANGES);

  before(async () => {
    schema = await sharePostgresql({ url: server().url, schema: "messaging", tls: null });
    // The first operation makes the tables.
    await new Store(schema.engine, { keepTexts: false }).backlog.counts("a1");
    for (let n = 0; n < 3; n++) {
      const client = new Client({ connectionString: server().url });
      await client.connect();
      await client.query("SET search_path TO messaging");
      clients.push(client);
    }
    texts = new Map(allStatements().map(({ name, text }) => [name, text("postgresql").replaceAll("?", "$")]));
  });
  after(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await schema?.release();
  });

  const change = (client: Client, name: string) =>
    client.query({ name, text: texts.get(name) ?? "", values: [...(CHANGES[name] ?? [])] });
  /** Starts a change, which may have to wait for another one. */
  const start = (client: Client, name: string) => {
    const started = { isOver: false, result: change(client, name) };
    const end = () => {
      started.isOver = true;
    };
    started.result.then(end, end);
    return started;
  };
  const states = async (): Promise<readonly string[]> => {
    const { rows } = await clients[0]!.query("SELECT state, owner FROM requests ORDER BY id");
    return rows.map(({ state, owner }) => (state === "leaving" ? `leaving ${owner}` : state));
  };
  const isAwaited = async (): Promise<boolean> => (await clients[0]!.query(LOCK_AWAITED)).rowCount !== 0;
  /** What comes of them one after the other. */
  const inTurn = async (...names: readonly string[]): Promise<readonly string[]> => {
    await clients[0]!.query("BEGIN");
    for (const name of names) await change(clients[0]!, name);
    const found = await states();
    await clients[0]!.query("ROLLBACK");
    return found;
  };

  it("are all of them", () => {
    const requests = changing().filter(({ text }) => text("sqlite").includes("UPDATE requests"));
    assert.deepEqual(requests.map(({ name }) => name).sort(), Object.keys(CHANGES).sort());
  });

  it("leave each request as if they had come one after the other", async () => {
    await clients[0]!.query(`${fill(ROWS)}; CREATE TEMPORARY TABLE pristine AS SELECT * FROM requests`);
    const alone = new Map<string, readonly string[]>();
    for (const name of ALL) {
      alone.set(name, await inTurn(name));
      assert.notDeepEqual(alone.get(name), await states(), `${name} changes nothing`);
    }
    for (const first of ALL) {
      for (const second of ALL) {
        await clients[1]!.query("BEGIN");
        await change(clients[1]!, first);
        const other = start(clients[2]!, second);
        while (!other.isOver && !(await isAwaited()));
        await clients[1]!.query("COMMIT");
        await other.result;
        const found = await states();
        await clients[0]!.query(
          "DELETE FROM requests; INSERT INTO requests OVERRIDING SYSTEM VALUE SELECT * FROM pristine",
        );
        const one = [alone.get(first) ?? [], alone.get(second) ?? []];
        if (found.every((state, row) => one.some((each) => each[row] === state))) continue;
        const both = [...one, await inTurn(first, second), await inTurn(second, first)];
        for (const [row, state] of found.entries()) {
          const allowed = both.map((each) => each[row]);
          const said = `${first}, then ${second}: ${ROWS[row]} became ${state}, not ${allowed.join(" or ")}`;
          assert.ok(allowed.includes(state), said);
        }
      }
    }
  });

  // Whoever has read the rows, and then waits for one of them, finds the others in another state when it gets to them.
  for (const name of WAITS) {
    it(`${name} leaves alone what was changed while it waited`, async () => {
      const from =
        name === "jobs_queue_filled" ? "filling" : name === "requests_emitted" ? "settled" : "leaving";
      for (const state of ["queued", "held", "leaving", "emitted"]) {
        if (state === from) continue;
        await clients[0]!.query(fill([from, from, from]));
        await clients[1]!.query("BEGIN");
        await clients[1]!.query("SELECT 1 FROM requests WHERE id = 2 FOR UPDATE");
        const other = start(clients[2]!, name);
        await waitFor(`${name} to wait`, async () => other.isOver || (await isAwaited()));
        assert.equal(other.isOver, false, `${name} did not wait`);
        // The one that it has not come to: it has locked the other one.
        const { rows } = await clients[0]!.query(
          `UPDATE requests SET state = $1, owner = 'other' WHERE id =
            (SELECT id FROM requests WHERE id <> 2 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`,
          [state],
        );
        assert.equal(rows.length, 1, "a request that it has not come to");
        await clients[1]!.query("COMMIT");
        await other.result;
        const { rows: found } = await clients[0]!.query("SELECT state, owner FROM requests WHERE id = $1", [
          rows[0].id,
        ]);
        assert.deepEqual(found, [{ state, owner: "other" }]);
      }
    });
  }
});
