import assert from "node:assert/strict";
import { Outbox } from "../../../../../lib/runtime/store/outbox/outbox";
import type { Instances } from "../../../../../lib/store/instances";
import type { ReleasedRequest, RequestClaims } from "../../../../../lib/store/jobs/request-claims";
import type { Settlements } from "../../../../../lib/store/jobs/settlements";
import type { Store } from "../../../../../lib/store/store";

let last = 0;
const newAccount = (): string => `outbox-${++last}`;

const placeOf = (account: string, place: string, id = "me") => ({
  account,
  store: { engine: { place } } as Store,
  instances: { id } as Instances,
});

describe("the outbox of an account", () => {
  it("stays the same for consecutive config nodes, with its state of a store", () => {
    const account = newAccount();
    const outbox = Outbox.of(account);
    const detach = outbox.attach({});
    const place = placeOf(account, "/a.db");
    const before = outbox.memoryOf(place);
    const detachNext = Outbox.of(account).attach({});
    detach();
    assert.equal(Outbox.of(account), outbox);
    assert.deepEqual(outbox.memoryOf(place), before);
    assert.equal(outbox.memoryOf(place).claims, before.claims);
    // Another registration has claimed nothing; another database has other requests with the same ids.
    const renewed = outbox.memoryOf(placeOf(account, "/a.db", "next"));
    assert.notEqual(renewed.claims, before.claims);
    assert.equal(renewed.pending, before.pending);
    assert.notEqual(outbox.memoryOf(placeOf(account, "/b.db")).pending, before.pending);
    assert.deepEqual([...outbox.names], ["me", "next"]);
    detachNext();
  });

  it("writes pending outcomes to a database, also without a config node", async () => {
    const accounts = [newAccount(), newAccount()];
    const outboxes = accounts.map((account) => Outbox.of(account));
    const stay = (): readonly boolean[] => accounts.map((account, at) => Outbox.of(account) === outboxes[at]);
    for (const [at, account] of accounts.entries()) {
      const outbox = Outbox.of(account);
      const detach = outbox.attach({});
      for (const place of ["/a.db", "/b.db"]) {
        const released: ReleasedRequest = { id: at, delay: 0, priority: 0, attempts: 0 };
        outbox.memoryOf(placeOf(account, place)).pending.releases.set(at, { owner: "me", released });
      }
      detach();
    }
    const written: string[] = [];
    const release = async (account: string, owner: string, [request]: readonly ReleasedRequest[]) =>
      void written.push(`${account} ${owner} ${request?.id}`);
    const store = { claims: { release } as unknown as RequestClaims, settlements: {} as Settlements };
    await Outbox.writePending("/a.db", store);
    assert.deepEqual(written, [`${accounts[0]} me 0`, `${accounts[1]} me 1`]);
    await Outbox.writePending("/a.db", store);
    assert.equal(written.length, 2);
    assert.deepEqual(stay(), [true, true]);
    await Outbox.writePending("/b.db", store);
    assert.equal(written.length, 4);
    assert.deepEqual(stay(), [false, false]);
  });
});
