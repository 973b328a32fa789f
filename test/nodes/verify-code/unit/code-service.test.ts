import assert from "node:assert/strict";
import { CodeService, type CodeRules } from "../../../../nodes/verify-code/runtime/code-service";
import { CodeHashes, isSameHash } from "../../../../nodes/verify-code/runtime/code-hashes";
import { Codes, HOUR } from "../../../../nodes/verify-code/store/codes";
import { openMemory } from "../../../unit/store/open-memory";
import { useFixture } from "../../../unit/store/suite/store-under-test";

const KEY = Buffer.alloc(32, 1);
const PLACE = { purpose: "login", number: "41790000001" };
const RULES: CodeRules = {
  length: 6,
  characters: "digits",
  validFor: 600_000,
  tries: 3,
  perNumber: 5,
  perCaller: 4,
};
const WRONG = "no code";

describe("one-time codes that are made and checked", () => {
  const { clock, store } = useFixture(openMemory);
  let codes: Codes;
  let service: CodeService;
  beforeEach(() => {
    codes = store.of(Codes, "a1");
    service = new CodeService(codes, new CodeHashes(KEY, "a1"));
  });
  const make = async (given: Partial<CodeRules> = {}, place = PLACE): Promise<string> => {
    const made = await service.make(place, null, { ...RULES, ...given });
    assert.ok(made.state === "made", made.state);
    return made.code;
  };
  const check = (typed: string, place = PLACE) => service.check(place, typed, null, RULES.perCaller);

  it("are right once", async () => {
    const code = await make();
    assert.match(code, /^\d{6}$/);
    assert.deepEqual(await check(`${code.slice(0, 3)}-${code.slice(3)} `), {
      state: "right",
      triesLeft: null,
    });
    assert.deepEqual(await check(code), { state: "none", triesLeft: null });
  });

  it("are right for a person whose number has two spellings", async () => {
    const code = await make({}, { ...PLACE, number: "5215512345678" });
    assert.equal((await check(code, { ...PLACE, number: "525512345678" })).state, "right");
  });

  it("are right for one of many who type them at the same time", async () => {
    const code = await make({ tries: 10 });
    const states = await Promise.all(Array.from({ length: 8 }, async () => (await check(code)).state));
    assert.deepEqual(states.sort(), [...Array(7).fill("none"), "right"]);
  });

  it("say how many tries are left, and are worth nothing after the last one", async () => {
    const code = await make();
    assert.deepEqual(await check(WRONG), { state: "wrong", triesLeft: 2 });
    assert.deepEqual(await check(""), { state: "wrong", triesLeft: 1 });
    assert.deepEqual(await check(WRONG), { state: "too-many", triesLeft: null });
    assert.deepEqual(await check(code), { state: "too-many", triesLeft: null });
  });

  it("are not right for another number or purpose, after their time, or when there is a newer one", async () => {
    const first = await make();
    assert.equal((await check(first, { ...PLACE, number: "41790000002" })).state, "none");
    assert.equal((await check(first, { ...PLACE, purpose: "payment" })).state, "none");
    const other = await make({}, { ...PLACE, purpose: "payment" });
    assert.ok(other === first || (await check(other)).state === "wrong");
    let second = await make();
    while (second === first) {
      second = await make();
    }
    assert.equal((await check(first)).state, "wrong");
    clock.pass(RULES.validFor);
    assert.deepEqual(await check(second), { state: "expired", triesLeft: null });
  });

  it("are made for a number so many times in an hour, for all purposes together", async () => {
    for (let n = 0; n < RULES.perNumber; n++) {
      await make({}, { ...PLACE, purpose: `purpose ${n % 2}` });
    }
    assert.deepEqual(await service.make(PLACE, null, RULES), { state: "too-many" });
    await make({}, { ...PLACE, number: "41790000002" });
    clock.pass(HOUR + 600_000);
    await make();
  });

  it("are made and checked for a caller so many times in an hour, and are not compared after that", async () => {
    const made = await service.make(PLACE, "192.0.2.1", RULES);
    assert.ok(made.state === "made");
    for (let n = 0; n < 3; n++) {
      const place = { ...PLACE, number: `4179000001${n}` };
      assert.equal((await service.check(place, WRONG, "192.0.2.1", RULES.perCaller)).state, "none");
    }
    assert.deepEqual(await service.check(PLACE, made.code, "192.0.2.1", RULES.perCaller), {
      state: "too-many",
      triesLeft: null,
    });
    assert.deepEqual(await service.make(PLACE, "192.0.2.1", RULES), { state: "too-many" });
    assert.equal((await service.check(PLACE, made.code, "192.0.2.2", RULES.perCaller)).state, "right");
  });

  it("count a try before they are compared", async () => {
    const code = await make();
    const calls: string[] = [];
    const log =
      <Args extends readonly unknown[], Result>(name: string, call: (...args: Args) => Result) =>
      (...args: Args): Result => {
        calls.push(name);
        return call(...args);
      };
    const hashes = new CodeHashes(KEY, "a1");
    const watched = new CodeService(
      {
        count: log("count", (counted) => codes.count(counted)),
        put: (given) => codes.put(given),
        try: log("try", (place) => codes.try(place)),
        use: log("use", (place, hash) => codes.use(place, hash)),
      },
      hashes,
    );
    await watched.check(PLACE, WRONG, "caller", 9);
    await watched.check(PLACE, code, "caller", 9);
    assert.deepEqual(calls, ["count", "try", "count", "try", "use"]);
  });

  it("have hashes that depend on key, account, purpose, number and code, each for itself", () => {
    const hashes = new CodeHashes(KEY, "a1");
    const all = [
      hashes.ofCode(PLACE, "123456"),
      hashes.ofCode(PLACE, "123457"),
      hashes.ofCode({ ...PLACE, purpose: "payment" }, "123456"),
      hashes.ofCode({ ...PLACE, number: "41790000002" }, "123456"),
      // The same characters in a row, divided elsewhere.
      hashes.ofCode({ purpose: "login4", number: "1790000001" }, "123456"),
      hashes.ofCode({ purpose: 'login","4', number: "1790000001" }, "123456"),
      hashes.ofCode({ purpose: "login", number: "417900000011" }, "23456"),
      new CodeHashes(KEY, "a2").ofCode(PLACE, "123456"),
      new CodeHashes(Buffer.alloc(32, 2), "a1").ofCode(PLACE, "123456"),
      hashes.ofCounted("number", PLACE.number),
      hashes.ofCounted("caller", PLACE.number),
    ];
    assert.equal(new Set(all).size, all.length);
    assert.ok(all.every((hash) => /^[\w-]{43}$/.test(hash)));
    assert.equal(hashes.ofCode(PLACE, "123456"), all[0]);
  });

  it("are compared with nothing where there is no code, and that is never the same", () => {
    const hash = new CodeHashes(KEY, "a1").ofCode(PLACE, "123456");
    const zero = Buffer.alloc(32).toString("base64url");
    assert.equal(isSameHash(hash, hash), true);
    assert.equal(isSameHash(zero, hash), false);
    assert.equal(isSameHash(null, hash), false);
    assert.equal(isSameHash(null, zero), false);
    assert.equal(isSameHash("", zero), false);
  });
});
