import type { NodeAPI, NodeMessage } from "node-red";
import { isRow } from "../../shared/personal-text/row-number";
import { messageValue } from "../fields/message-value";

/** Where a message that was a row of a list has its row; null for others. @returns a path without `msg.` */
export function rowsPath({ parts }: NodeMessage & { readonly parts?: unknown }): string | null {
  const { rows } = (parts ?? {}) as { readonly rows?: unknown };
  return typeof rows === "string" && rows !== "" ? rows : null;
}

/**
 * The rows of messages that a send node made of one list, so that they can be sent again as a list.
 * @returns the rows and the path of the property that they were in; null where one of them is no such message, or has something else in place of its row by now
 */
export function rowsOf(RED: NodeAPI, messages: readonly NodeMessage[]) {
  const [first] = messages;
  const path = first === undefined ? null : rowsPath(first);
  if (path === null) {
    return null;
  }
  const rows: unknown[] = [];
  for (const msg of messages) {
    const row = rowsPath(msg) === path ? messageValue(RED, msg, path) : undefined;
    if (!isRow(row) && typeof row !== "string" && typeof row !== "number") {
      return null;
    }
    rows.push(row);
  }
  return { path, rows };
}

/** What of a message `rowsOf` looks at: large lists are not to be in memory with all that came with them. */
export function withoutOthers(msg: NodeMessage): NodeMessage {
  const path = rowsPath(msg);
  if (path === null) {
    return {};
  }
  const { parts } = msg as { readonly parts?: unknown };
  const [name = ""] = path.split(/[.[]/, 1);
  return { parts, [name]: msg[name as keyof NodeMessage] } as NodeMessage;
}
