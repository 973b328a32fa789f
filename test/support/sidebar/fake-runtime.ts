type Handler = (input: never, account: string) => unknown;

/** A request of the sidebar. */
export interface Asked {
  readonly account: string;
  readonly action: string;
  readonly input: unknown;
}

/** The HTTP status of a response without a body. */
export class Refused extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status}`);
  }
}

/** The admin routes of an account, as far as a test needs them. */
export class FakeRuntime {
  readonly asked: Asked[] = [];

  /** @param handlers by action, such as `history/search`; each gives a body, a `Refused`, or a promise of one of them */
  constructor(readonly handlers: Record<string, Handler>) {}

  inputsOf(action: string): readonly unknown[] {
    return this.asked.filter((each) => each.action === action).map(({ input }) => input);
  }

  /** Does the work of `$.ajax`. */
  readonly ajax = ({ url, data }: { readonly url: string; readonly data?: string }): object => {
    const [, account = "", action = ""] = /^messaging-account\/([^/]+)\/(.+)$/.exec(url) ?? [];
    const input = data === undefined ? null : (JSON.parse(data) as unknown);
    this.asked.push({ account, action, input });
    const handler = this.handlers[action];
    const body = Promise.resolve(handler?.(input as never, account) ?? new Refused(404)).then((each) => {
      if (each instanceof Refused) throw each;
      return each;
    });
    return Object.assign(body, { abort() {} });
  };
}
