import type { NodeMessage } from "node-red";
import { MemoryDepartures } from "../../../../../lib/runtime/memory/memory-departures";
import { MemoryWaits } from "../../../../../lib/runtime/waits/memory/memory-waits";
import type { WaitEnd, WaitListener, WaitRequest } from "../../../../../lib/runtime/waits/waits";
import type { OtherReplies } from "../../../../../lib/shared/fields/wait-fields";
import type { ReplyChannel } from "../../../../../lib/store/waits/wait";
import { VirtualTiming } from "../../../../support/virtual-timing";

export const ADA = "41790000001";
export const BEN = "41790000002";
export const CAT = "41790000003";

/** A node that waits, with all that it was told. */
export interface TestNode extends WaitListener {
  readonly ends: WaitEnd[];
  /** The last count; -1 before the first. */
  open: number;
  readonly leave: () => void;
  /** What its ends were, in short: outcome, recipients, the status or the text of the reply. */
  readonly told: () => readonly (readonly [string, string, string | null])[];
}

export interface NodeOptions {
  readonly matches?: WaitListener["matches"];
  readonly others?: OtherReplies;
}

/** The waits of an account, with a clock that moves only when told to. */
export function waitsUnderTest(most?: number) {
  const timing = new VirtualTiming();
  const departures = new MemoryDepartures(timing.now);
  const waits = new MemoryWaits({ departures, timing, ...(most !== undefined && { most }) });
  let messages = 0;

  const join = (identity = "n", { matches = () => true, others = "output" }: NodeOptions = {}): TestNode => {
    const ends: WaitEnd[] = [];
    const node = {
      ends,
      open: -1,
      others,
      matches,
      emit: (end: WaitEnd) => void ends.push(end),
      counted: (open: number) => {
        node.open = open;
      },
      trouble: () => {},
      leave: () => leave(),
      told: () =>
        ends.map(
          ({ what, recipients, status, reply }) => [what, recipients.join(), reply?.text ?? status] as const,
        ),
    };
    const leave = waits.join(identity, node);
    return node;
  };

  /** @param within ms */
  const begin = (request: Partial<WaitRequest> = {}, within = 60_000): Promise<void> =>
    waits.begin({
      node: "n",
      kind: "delivered",
      channel: "any",
      transferId: "t",
      clientMessageId: "c",
      recipients: [ADA],
      until: timing.now() + within,
      group: null,
      msg: { _msgid: `m${messages++}`, payload: { text: "hello" } } as NodeMessage,
      ...request,
    });

  const status = (
    word: string,
    number: string | null = ADA,
    ids: { transferId?: string | null; clientMessageId?: string | null; at?: number | null } = {},
  ): void =>
    waits.hear({
      transferId: "t",
      clientMessageId: "c",
      at: null,
      ...ids,
      number,
      status: word,
      reply: null,
    });

  const reply = (text: string, number: string | null = ADA, channel: ReplyChannel = "sms"): void =>
    waits.hear({
      transferId: null,
      clientMessageId: null,
      at: null,
      status: null,
      number,
      reply: { channel, application: "", body: JSON.stringify({ textMessageContent: text }) },
    });

  return { waits, timing, departures, join, begin, status, reply };
}
