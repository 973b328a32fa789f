import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Account } from "../../../../lib/runtime/account/account";
import { DigestKeeper, type DigestListener } from "../../../../nodes/message-digest/runtime/digest-keeper";
import type { FlowLifecycle } from "../../../../lib/runtime/node-red/flow-lifecycle";
import { type AccountStore, openStore } from "../../../../lib/runtime/store/open-store";
import { MEMORY_SETTINGS } from "../../../../lib/runtime/store/store-settings";
import { type Emission, getEmissionName } from "../../../../nodes/message-digest/store/digest";
import { Digests } from "../../../../nodes/message-digest/store/digests";
import { StoreError } from "../../../../lib/store/engine/store-error";
import { hurry } from "../../../support/hurry";
import { clearMemory } from "../../../support/store/clear-memory";
import { waitFor } from "../../../support/wait-for";
import { newItem, NODE } from "../digest-store-contract";

const ID = "digest-keeper";

describe("what keeps digests", () => {
  const keepers: DigestKeeper[] = [];
  let endHurry = (): void => {};
  let account: Account;
  let place: AccountStore;
  let digests: Digests;
  beforeEach(async () => {
    const opened = await openStore(ID, MEMORY_SETTINGS);
    digests = opened.store.of(Digests, opened.account);
    const store = Object.assign(Object.create(opened.store), { of: () => digests });
    place = { ...opened, store };
    account = { id: randomUUID(), store: async () => place } as unknown as Account;
  });
  afterEach(async () => {
    endHurry();
    await Promise.all(keepers.splice(0).map((keeper) => keeper.close()));
    await place.release();
    await clearMemory();
  });

  /** Lets the store fail each time it is told what has left. */
  const forget = () => {
    const { emitted } = digests;
    const store = { isAway: true, tries: 0 };
    digests.emitted = async (...given) => {
      store.tries++;
      if (store.isAway) {
        throw new StoreError("STORE_UNREACHABLE", "", "", false);
      }
      await emitted.apply(digests, given);
    };
    return store;
  };
  /** Collects the keys that the keeper gives back. */
  const collectGivenBack = () => {
    const keys: string[] = [];
    digests.release = async (emissions) => void keys.push(...emissions.map(({ key }) => key));
    return keys;
  };
  const start = (
    lifecycle: Partial<FlowLifecycle>,
    listens: Partial<DigestListener> = {},
  ): { readonly keeper: DigestKeeper; readonly left: Emission[] } => {
    const left: Emission[] = [];
    const listener: DigestListener = {
      emit: (emission) => void left.push(emission),
      counted: () => {},
      trouble: () => {},
      ...listens,
    };
    const keeper = new DigestKeeper(account, NODE, lifecycle as FlowLifecycle, listener);
    keepers.push(keeper);
    return { keeper, left };
  };
  const RUNNING = { running: true, onStarted: () => () => true, onStopping: () => () => true } as const;

  it("sends nothing twice while its store cannot be told, over a deploy as well", async () => {
    endHurry = hurry(50);
    const store = forget();
    const { keeper, left } = start(RUNNING);
    await keeper.add(newItem());
    await waitFor("two tries", async () => store.tries >= 2);
    assert.equal(left.length, 1);
    await keeper.close();
    const next = start(RUNNING);
    await waitFor("two more tries", async () => store.tries >= 4);
    store.isAway = false;
    await waitFor("it to be told", async () => (await digests.nextWake(NODE)) !== null);
    assert.deepEqual([left.length, next.left.length], [1, 0]);
  });

  it("sends once more, marked, what left just before it was closed", async () => {
    const { keeper, left } = start(RUNNING);
    await keeper.add(newItem());
    await waitFor("the digest", async () => left.length === 1);
    await keeper.close();
    const next = start(RUNNING);
    await waitFor("it once more", async () => next.left.length === 1);
    const shown = [...left, ...next.left].map((each) => [getEmissionName(each), each.restored]);
    const name = shown[0]?.[0];
    assert.deepEqual(shown, [
      [name, false],
      [name, true],
    ]);
    await waitFor("it to be told", async () => (await digests.nextWake(NODE)) !== null);
    await next.keeper.close();
    const last = start(RUNNING);
    await last.keeper.add(newItem({ key: "door" }));
    await waitFor("another digest", async () => last.left.length === 1);
    assert.deepEqual(
      last.left.map(({ key }) => key),
      ["door"],
    );
  });

  it("gives back what it has taken and has not sent when it is closed", async () => {
    const given = collectGivenBack();
    let givenOut = (): void => {};
    const isGivenOut = new Promise<void>((resolve) => {
      givenOut = resolve;
    });
    const depart = digests.claimEmissions.bind(digests);
    digests.claimEmissions = async (...of) => {
      const page = await depart(...of);
      await (page.length > 0 ? isGivenOut : null);
      return page;
    };
    const { keeper, left } = start(RUNNING);
    await keeper.add(newItem());
    await waitFor("it to be taken", async () => (await digests.nextWake(NODE)) === null);
    const closing = keeper.close();
    givenOut();
    await closing;
    assert.deepEqual([left.length, given], [0, ["pump"]]);
  });

  it("sends again what its node could not send, and says so", async () => {
    endHurry = hurry(50);
    const troubles: unknown[] = [];
    const sent: string[] = [];
    let isBroken = true;
    const { keeper } = start(RUNNING, {
      emit: ({ key }) => {
        if (isBroken && key === "door") {
          throw new Error("no text");
        }
        sent.push(key);
      },
      trouble: (error) => troubles.push(error?.message ?? null),
    });
    await Promise.all([keeper.add(newItem({ key: "door" })), keeper.add(newItem())]);
    await waitFor("the other one", async () => sent.length === 1 && troubles.length > 0);
    isBroken = false;
    await waitFor("both", async () => sent.length === 2 && troubles.at(-1) === null);
    assert.deepEqual([sent, troubles[0]], [["pump", "door"], "no text"]);
  });

  it("gives back nothing that has left already", async () => {
    const given = collectGivenBack();
    const store = forget();
    let tries = 0;
    const { keeper } = start(RUNNING, {
      emit: ({ key }) => {
        if (key === "door") {
          tries++;
          throw new Error("no text");
        }
      },
    });
    await keeper.add(newItem());
    await waitFor("it to leave", async () => store.tries === 1);
    await keeper.add(newItem({ key: "door" }));
    await waitFor("both in one page", async () => tries === 1);
    await keeper.close();
    assert.deepEqual(given, ["door"]);
  });

  it("sends nothing before the flows run", async () => {
    let begin = (): void => {};
    const lifecycle = {
      running: false,
      onStarted: (listener: () => void) => {
        begin = listener;
        return () => true;
      },
      onStopping: () => () => true,
    };
    const { keeper, left } = start(lifecycle);
    await keeper.add(newItem());
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(left.length, 0);
    lifecycle.running = true;
    begin();
    await waitFor("the digest", async () => left.length === 1);
  });
});
