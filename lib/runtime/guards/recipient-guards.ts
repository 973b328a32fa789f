import type { CheckedRecipients, GuardedMessage, HeldRecipients, RecipientGuard } from "./recipient-guard";

/** The guards of an account, one after the other: each one gets the recipients that those before it allow. */
export class RecipientGuards implements RecipientGuard {
  constructor(private readonly guards: readonly RecipientGuard[]) {}

  passes(recipient: string, message: GuardedMessage): boolean | undefined {
    for (const guard of this.guards) {
      const passes = guard.passes(recipient, message);
      if (passes !== true) {
        return passes;
      }
    }
    return true;
  }

  check(
    recipients: readonly string[],
    message: GuardedMessage,
  ): CheckedRecipients | Promise<CheckedRecipients> {
    return this.#checkFrom(0, { allowed: recipients, held: [] }, message);
  }

  #checkFrom(
    index: number,
    before: CheckedRecipients,
    message: GuardedMessage,
  ): CheckedRecipients | Promise<CheckedRecipients> {
    const guard = this.guards[index];
    if (guard === undefined || before.allowed.length === 0) {
      return before;
    }
    const goOn = ({ allowed, held }: CheckedRecipients) => {
      const all: HeldRecipients[] = [...before.held, ...held];
      return this.#checkFrom(index + 1, { allowed, held: all }, message);
    };
    const checked = guard.check(before.allowed, message);
    return checked instanceof Promise ? checked.then(goOn) : goOn(checked);
  }
}
