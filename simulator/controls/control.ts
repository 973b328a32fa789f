import type { Account } from "../account/account";
import type { WireRequest } from "../endpoints/check-request";
import { jsonReply, type Reply } from "../endpoints/reply";

const DEFAULT_LIMIT = 100;

export type Control = (account: Account, request: WireRequest) => Reply;

export type Controls = Readonly<Record<string, Readonly<Record<string, Control>>>>;

/** Creates a control that adds something from JSON; a TypeError becomes the answer. */
export function adding(add: (account: Account, value: unknown) => object): Control {
  return (account, { headers, body }) => {
    if (!/^application\/json\b/i.test(headers["content-type"] ?? "")) {
      return problem(415, "content type must be application/json");
    }
    try {
      return jsonReply(201, add(account, JSON.parse(body.toString())));
    } catch (error) {
      return problem(400, error instanceof TypeError ? error.message : "the body is not JSON");
    }
  };
}

export function newest<Entry>(log: readonly Entry[], { query }: WireRequest): readonly Entry[] {
  const limit = /^limit=(\d{1,6})$/.exec(query)?.[1];
  const count = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  return count === 0 ? [] : log.slice(-count);
}

export function problem(httpStatus: number, error: string): Reply {
  return jsonReply(httpStatus, { error });
}

export function clearing(clear: (account: Account) => void): Control {
  return (account) => {
    clear(account);
    return jsonReply(200, { cleared: true });
  };
}
