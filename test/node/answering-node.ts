import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { findEnglish } from "../support/locales/english-words";
import { type Config, stopFlow, type TestFlow } from "./flow";

/** What tests of nodes have in common that answer each message by itself: message-log, opt-out and verify-code. */

/** Gives the sender a message that it refuses. @returns code and text of the error */
export async function errorOf(flow: TestFlow, msg: Config = {}): Promise<[code: string, text: string]> {
  flow.send(msg);
  const [caught] = await flow.caught.until(1);
  assert.deepEqual([flow.all.messages, flow.completed.messages], [[], []], "nothing may leave");
  const { error } = caught as NodeMessage & { error: { message: string; code: string } };
  return [error.code, error.message];
}

/** A badge of the sender. @param at which one, from 1 @returns colour and text */
export async function badgeOf(flow: TestFlow, at: number): Promise<string> {
  const shown = (await flow.statuses.until(at))[at - 1];
  const { fill, text } = (shown as unknown as { status: { text: string; fill: string } }).status;
  return `${fill}: ${text}`;
}

/** A value of others that tries to break out of a line of the log, and to fill it. */
export const HOSTILE = `a\r\n[error] forged\u001b[2J\u202e${"x".repeat(100_000)}`;

/** Of each flow, in German, the error of one message is on one short line. @param flows flow and message */
export async function assertShortGerman(
  flows: Iterable<readonly [flow: () => Promise<TestFlow>, msg: Config]>,
): Promise<void> {
  for (const [start, msg] of flows) {
    const [, text] = await errorOf(await start(), msg);
    await stopFlow();
    // The name of the property comes first.
    assert.equal(findEnglish(text.replace(/^[a-zS]+ /, "")), null, text);
    assert.doesNotMatch(text, /[\p{Cc}\u202e]/u);
    assert.ok(text.length < 500, `${text.length} characters`);
  }
}
