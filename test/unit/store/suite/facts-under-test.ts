import type { AccountFacts } from "../../../../lib/store/account-facts";
import type { NewEvent } from "../../../../lib/store/events/deliveries";
import type { Fixture, TestClock } from "./store-under-test";

/** Where accounts keep what they know of people, and the clock that it goes by. */
export interface FactsUnderTest {
  readonly clock: TestClock;
  readonly of: (account: string) => AccountFacts;
  /** Events of webhooks come in. */
  readonly note: (account: string, events: readonly NewEvent[]) => Promise<unknown>;
}

export const factsOf = ({ clock, store }: Pick<Fixture, "clock" | "store">): FactsUnderTest => ({
  clock,
  of: (account) => store.facts(account),
  note: (account, events) => store.deliveries.note(account, events),
});
