import assert from "node:assert/strict";
import { CodeService, type CodeRules } from "../../../../lib/runtime/codes/code-service";
import { CodeHashes } from "../../../../lib/runtime/codes/code-hashes";
import type { CodeStore } from "../../../../lib/store/codes";
import { PostgresqlEngine } from "../../../../lib/store/engine/postgresql/postgresql-engine";
import { shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { MemoryCodes } from "../../../../lib/runtime/memory/memory-codes";
import { Store } from "../../../../lib/store/store";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { useFolder } from "../../store/use-folder";

const GUESSES = 10_000;
const ACCOUNT = "a1";
const PLACE = { purpose: "login", number: "41790000001" };
const RULES: CodeRules = {
  length: 4,
  characters: "digits",
  validFor: 3_600_000,
  tries: 5,
  perNumber: 3,
  perCaller: 200,
};

/** A store that says for which numbers somebody got a hash to compare with, or asked for one. */
function watch(store: CodeStore, asked: string[], compared: string[]): CodeStore {
  return {
    account: store.account,
    count: (counted) => store.count(counted),
    put: (code) => store.put(code),
    try: async (place) => {
      asked.push(place.number);
      const tried = await store.try(place);
      if (tried.state === "valid") {
        compared.push(place.number);
      }
      return tried;
    },
    use: (place, hash) => store.use(place, hash),
  };
}

/** Guesses every code there is from each process, while codes are made; then one caller tries many numbers. */
async function assertLimits(stores: readonly CodeStore[]): Promise<void> {
  const asked: string[] = [];
  const compared: string[] = [];
  const services = stores.map(
    (store) => new CodeService(watch(store, asked, compared), new CodeHashes(Buffer.alloc(32, 7), ACCOUNT)),
  );
  const serviceOf = (at: number): CodeService => services[at % services.length] as CodeService;
  const first = await serviceOf(0).make(PLACE, null, RULES);
  const [others, checked] = await Promise.all([
    Promise.all(Array.from({ length: 19 }, (_, at) => serviceOf(at).make(PLACE, null, RULES))),
    Promise.all(
      Array.from({ length: GUESSES }, (_, at) =>
        serviceOf(at).check(PLACE, String(at).padStart(4, "0"), null, RULES.perCaller),
      ),
    ),
  ]);
  const codes = [first, ...others].filter(({ state }) => state === "made").length;
  assert.equal(codes, RULES.perNumber);
  assert.ok(compared.length > 0, "no guess reached a code");
  assert.ok(compared.length <= codes * RULES.tries, `${compared.length} were compared`);
  const count = (wanted: string): number => checked.filter(({ state }) => state === wanted).length;
  assert.ok(count("right") <= codes);
  assert.equal(count("none") + count("too-many") + count("right") + count("wrong"), GUESSES);
  assert.ok(count("right") + count("wrong") <= compared.length);

  asked.length = 0;
  const tried = await Promise.all(
    Array.from({ length: 2_000 }, (_, at) =>
      serviceOf(at).check(
        { ...PLACE, number: String(41_791_000_000 + at) },
        "0000",
        "192.0.2.1",
        RULES.perCaller,
      ),
    ),
  );
  assert.equal(asked.length, RULES.perCaller);
  assert.equal(tried.filter(({ state }) => state === "too-many").length, 2_000 - RULES.perCaller);
}

describe("ten thousand guesses at the same time", () => {
  const folder = useFolder();

  it("are compared as often as the code has tries, in memory", () =>
    assertLimits([new MemoryCodes(ACCOUNT)]));

  it("are compared as often as the code has tries, in SQLite", async () => {
    const { engine, release } = await shareSqlite(folder());
    try {
      const stores = Array.from({ length: 4 }, () => new Store(engine, { keepTexts: false }).codes(ACCOUNT));
      await assertLimits(stores);
    } finally {
      await release();
    }
  });

  describe("of two processes", () => {
    const server = usePostgresql();

    it("are compared as often as the code has tries, in PostgreSQL", async () => {
      const settings = { url: server().url, schema: "messaging", tls: null };
      const engines = [new PostgresqlEngine(settings), new PostgresqlEngine(settings)];
      try {
        const stores = engines.map((engine) => new Store(engine, { keepTexts: false }).codes(ACCOUNT));
        await assertLimits(stores);
      } finally {
        await Promise.all(engines.map((engine) => engine.close()));
      }
    });
  });
});
