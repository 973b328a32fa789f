import { ID, observe, SENT, type SettleCase, testSettling } from "../support/crash/settle-cases";
import type { LedgerEntry } from "./read-ledger";
import { settle } from "./settle";

interface Case extends SettleCase<LedgerEntry> {
  readonly taken?: false;
}

const unknown: LedgerEntry = { ...SENT, outcome: "unknown" };
const orphan: LedgerEntry = { ...unknown, settledBy: "orphan" };

function settleCase(given: Case) {
  const { observed, ledger } = observe(given, SENT);
  const taken = new Set(given.taken === false ? [] : [ID]);
  return settle({ ...observed, taken, seen: { ...observed.seen, life: 1 } }, ledger);
}

testSettling<LedgerEntry, Case>(
  "crash",
  SENT,
  settleCase,
  {},
  {
    "a message that was never taken": [{ taken: false }, /never taken/],
    "unknown without a reason": [
      { ledger: [unknown], seen: [{ outcome: "unknown" }] },
      /neither a kill nor a cut/,
    ],
    "an orphan that was not under way": [
      { ledger: [orphan], seen: [{ outcome: "unknown" }], arrivals: ["garbage"] },
      /unknown for another reason/,
    ],
    "an orphan not marked as restored": [
      { ledger: [orphan], seen: [{ outcome: "unknown" }], underWay: true },
      /orphaned, and not marked/,
    ],
    "under way at a kill and sent after it": [{ underWay: true }, /is not unknown/],
  },
);
