import { isRow, type Row } from "../../shared/personal-text/row-number";

/** The last message that reached a node since the deploy, shortened. */
export interface LastMessage {
  /** Epoch milliseconds; null where there was none. */
  readonly at: number | null;
  /** Null where there was none, and where it was sensitive. */
  readonly message: Row | null;
}

const NONE: LastMessage = { at: null, message: null };

/** Asks the runtime for the last message of a node. Never rejects: without an answer there was none. */
export function readLastMessage(node: string): Promise<LastMessage> {
  return new Promise((resolve) => {
    $.ajax({
      url: `messaging-account/last-message/${encodeURIComponent(node)}`,
      dataType: "json",
      success: (answer: unknown) => {
        const { at, message } = isRow(answer) ? answer : {};
        resolve(
          isRow(message) && typeof at === "number"
            ? { at, message }
            : { at: typeof at === "number" ? at : null, message: null },
        );
      },
      error: () => resolve(NONE),
    });
  });
}
