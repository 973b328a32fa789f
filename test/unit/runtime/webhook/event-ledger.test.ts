import assert from "node:assert/strict";
import type { AccountStore } from "../../../../lib/runtime/store/open-store";
import { StoreLedger } from "../../../../lib/runtime/store/store-ledger";
import { sharePostgresql } from "../../../../lib/store/engine/postgresql/shared-postgresql";
import type { SharedEngine } from "../../../../lib/store/engine/shared-engines";
import { shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import type { OptOuts } from "../../../../lib/store/guards/opt-outs";
import type { Entered, EventLedger, LedgerEntry } from "../../../../lib/webhook/event-ledger";
import { inboundMessage, statusMessage } from "../../../support/http/webhook-events";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { waitFor } from "../../../support/wait-for";
import { useShared } from "../../store/suite/empty-store";
import { useStore } from "../../store/suite/store-under-test";
import { useFolder } from "../../store/use-folder";

const ADA = "41790000001";
const LIMITS = { age: 60_000, most: 1_000 };
const STOP = { change: "stop", scope: "all", number: ADA } as const;

interface LedgerUnderTest {
  /** A webhook of the account. */
  readonly webhook: (receiver: string) => EventLedger;
  readonly optOuts: OptOuts;
  readonly end: () => Promise<unknown>;
}

const status = (key: string): LedgerEntry => ({
  kind: "status",
  key,
  unique: true,
  sender: null,
  payload: statusMessage({ clientMessageId: key }),
  simulated: false,
  bytes: 100,
  optOut: null,
});
const inbound = (key: string, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  kind: "inbound",
  key,
  unique: false,
  sender: `+${ADA}`,
  payload: inboundMessage(),
  simulated: false,
  bytes: 100,
  optOut: null,
  ...more,
});

/** Brings a ledger an event as the receiver does. @returns null for a copy of which it says so */
async function bring(ledger: EventLedger, entry: LedgerEntry): Promise<Entered | null> {
  if (ledger.isCopy(entry.key, entry.unique)) {
    return null;
  }
  const entered = await ledger.enter(entry);
  if (entered.duplicate) {
    return null;
  }
  return entered;
}

/** What a webhook knows of its events, wherever its account keeps that. */
function ledgerContract(open: () => LedgerUnderTest): void {
  let under: LedgerUnderTest;
  let ledger: EventLedger;
  beforeEach(() => {
    under = open();
    ledger = under.webhook("w1");
  });
  afterEach(() => under.end());

  it("takes a unique event once when the flow has taken it, and calls it seen before that", async () => {
    const seen = [(await bring(ledger, status("a")))?.seen, (await bring(ledger, status("a")))?.seen];
    assert.deepEqual(seen, [false, true]);
    ledger.done("a");
    assert.equal(await bring(ledger, status("a")), null);
    assert.equal((await bring(ledger, status("b")))?.seen, false);
  });

  it("is that of one webhook", async () => {
    const other = under.webhook("w2");
    await bring(ledger, status("a"));
    ledger.done("a");
    assert.equal((await bring(other, status("a")))?.seen, false);
  });

  it("takes equal messages without an id each time, but for one copy of each whose answer was cut off", async () => {
    assert.equal((await bring(ledger, inbound("a")))?.seen, false);
    assert.equal((await bring(ledger, inbound("a")))?.seen, true);
    ledger.cut("a");
    ledger.cut("a");
    await waitFor("two copies", async () => (await bring(ledger, inbound("a"))) === null);
    await waitFor("both", async () => (await bring(ledger, inbound("a"))) === null);
    assert.equal((await bring(ledger, inbound("a")))?.seen, true);
  });

  it("changes the list of opt-outs once for a unique event, at whatever webhook of the account copies come", async () => {
    const { optOuts } = under;
    const stop = inbound("stop", { unique: true, optOut: STOP });
    await bring(ledger, stop);
    assert.deepEqual(
      (await optOuts.find([ADA])).map(({ source }) => source),
      ["inbound"],
    );
    await optOuts.remove([ADA]);
    await bring(ledger, stop);
    await bring(under.webhook("w2"), stop);
    assert.deepEqual(await optOuts.find([ADA]), []);
  });

  it("changes it by each message without an id, but not by the redelivery of one that was sent back", async () => {
    const { optOuts } = under;
    const stop = inbound("stop", { optOut: STOP });
    (await bring(ledger, stop))?.sentBack();
    await optOuts.remove([ADA]);
    (await bring(ledger, stop))?.sentBack();
    await bring(ledger, stop);
    assert.deepEqual(await optOuts.find([ADA]), [], "the redelivery");
    await bring(ledger, stop);
    assert.equal((await optOuts.find([ADA])).length, 1, "another one");
  });
}

describe("what a webhook knows of its events", () => {
  const inStore = (share: () => Promise<SharedEngine>): void => {
    const fixture = useStore(useShared(share));
    ledgerContract(() => {
      const { keeping: store, mine: instances } = fixture();
      const ledgers: StoreLedger[] = [];
      const opened = {
        account: "a1",
        store,
        instances,
        settings: { keepTexts: false },
        retain: () => async () => {},
      } as unknown as AccountStore;
      return {
        webhook: (receiver) => {
          const ledger = new StoreLedger({
            receiver,
            limits: LIMITS,
            unwritten: { done: new Set(), cut: new Map() },
            open: async () => opened,
            failed: (error) => assert.equal(error, null),
          });
          ledgers.push(ledger);
          return ledger;
        },
        optOuts: store.optOuts("a1"),
        end: () => Promise.all(ledgers.map((ledger) => ledger.close())),
      };
    });
  };

  describe("in SQLite", () => {
    const folder = useFolder();
    inStore(() => shareSqlite(folder()));
  });

  describe("in PostgreSQL", () => {
    const server = usePostgresql();
    inStore(() => sharePostgresql({ url: server().url, schema: "messaging", tls: null }));
  });
});
