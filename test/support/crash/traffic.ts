import type { FaultAnswer, FaultRule } from "../../../simulator/index";
import type { SeededRandom } from "./seeded-random";

/** What a message is to its sender: a row of the table for each. */
export const KINDS = ["SMS", "WhatsApp template", "RCS", "few recipients", "list"] as const;
export type Kind = (typeof KINDS)[number];

/** A message that is handed to the flow. No two of them share a recipient, so a number tells its message. */
export interface PlannedMessage {
  readonly at: number;
  readonly id: string;
  readonly kind: Kind;
  /** Id of the send node. */
  readonly node: string;
  /** Digits without plus. */
  readonly recipients: readonly string[];
  /** Values among the recipients that are no numbers: the node rejects them by itself, as one more part. */
  readonly wrong: readonly string[];
  /** What the service does with it; null for a plain acceptance. */
  readonly fault: FaultRule | null;
}

export interface TrafficOptions {
  readonly messages: number;
  /** Lists among them. */
  readonly lists: number;
  /** Recipients of the longest list. */
  readonly longest: number;
}

/** Send nodes of each kind. */
export const NODES: Readonly<Record<Kind, readonly string[]>> = {
  SMS: ["sms-form", "sms-json", "sms-get"],
  "WhatsApp template": ["template"],
  RCS: ["rcs"],
  "few recipients": ["few-templates", "few-rcs"],
  list: ["list"],
};

/** Names a recipient: by its digits, or, where it is no number, by the message as well. */
export function personOf(id: string, recipient: string): string {
  const digits = recipient.replace(/^\+/, "");
  return /^417\d{8}$/.test(digits) ? digits : `${id}/${recipient}`;
}

/** Everybody who must have a result of this message. */
export function peopleOf({ id, recipients, wrong }: PlannedMessage): readonly string[] {
  return [...recipients, ...wrong].map((each) => personOf(id, each));
}

/** Part of the messages that the service treats in one of the ways below. */
const FAULTY = 0.2;
/** The first number is `41700000000`; a number of the service's log is one that begins like it. */
const FIRST_NUMBER = 41_700_000_000;
export const NUMBER = /417\d{8}/g;

/** Surely not taken by the service, so that the node makes another try. */
const RETRIED: readonly FaultAnswer[] = [{ statusCode: 5003 }, { statusCode: 5003, delayMs: 60 }];
/** The same, and everything else for the service waits as well. */
const THROTTLED: readonly FaultAnswer[] = [{ statusCode: 4023 }, { httpStatus: 429 }];
/** The client cannot tell whether the service took it. */
const UNCLEAR: readonly FaultAnswer[] = [
  { statusCode: 5000 },
  { httpStatus: 502 },
  { httpStatus: 503, accept: true },
  { connection: "reset-before-accept" },
  { connection: "drop-after-accept" },
  { connection: "drop-after-accept", delayMs: 80 },
  { connection: "cut-header" },
  { connection: "cut-body" },
  { connection: "garbage" },
];
/** Slow answers let more requests be under way when the process ends. */
const slow = (random: SeededRandom): FaultAnswer => ({ statusCode: 2000, delayMs: random.between(20, 400) });

type MakeFault = (random: SeededRandom) => Pick<FaultRule, "times" | "answer">;
const SLOW: MakeFault = (random) => ({ answer: slow(random) });
const RETRY: MakeFault = (random) => ({ times: random.between(1, 3), answer: random.pick(RETRIED) });
const UNKNOWN: MakeFault = (random) => ({ answer: random.pick(UNCLEAR) });
const REFUSE: MakeFault = () => ({ answer: { statusCode: 4031 } });
const THROTTLE: MakeFault = (random) => ({ answer: random.pick(THROTTLED) });
/** They take turns, so that a short run has all of them. */
const FAULTS: readonly MakeFault[] = [
  ...[SLOW, RETRY, UNKNOWN, SLOW, REFUSE, UNKNOWN, SLOW, RETRY, UNKNOWN, THROTTLE],
  ...[SLOW, RETRY, UNKNOWN, SLOW, RETRY, UNKNOWN, SLOW, RETRY, UNKNOWN, SLOW],
];

/** Plans all messages of a run: the same ones for the same seed. */
export function planTraffic(random: SeededRandom, options: TrafficOptions): readonly PlannedMessage[] {
  const { messages, lists, longest } = options;
  const everyList = Math.max(1, Math.floor(messages / Math.max(1, lists)));
  let numbers = 0;
  let faults = 0;
  const fault = (recipients: readonly string[]): FaultRule => {
    const make = FAULTS[faults++ % FAULTS.length] ?? SLOW;
    return { recipient: random.pick(recipients), ...make(random) };
  };
  return Array.from({ length: messages }, (_none, at) => {
    const isList = lists > 0 && at % everyList === Math.floor(everyList / 2);
    const kind = isList ? "list" : kindOf(random.next());
    const count = isList
      ? random.between(1_001, longest)
      : kind === "few recipients"
        ? random.between(2, 9)
        : 1;
    const recipients = Array.from({ length: count }, () => String(FIRST_NUMBER + ++numbers));
    return {
      at,
      id: `crash-${at}`,
      kind,
      node: random.pick(NODES[kind]),
      recipients,
      wrong: count > 1 && random.chance(0.3) ? ["12"] : [],
      fault: random.chance(FAULTY) ? fault(recipients) : null,
    };
  });
}

/** Plans lists that somebody hands in at a moment of their own, with other recipients than everything that is planned already. */
export function planLongLists(
  planned: readonly PlannedMessage[],
  lists: number,
  recipients: number,
): readonly PlannedMessage[] {
  const first = FIRST_NUMBER + 1 + planned.reduce((sum, each) => sum + each.recipients.length, 0);
  return Array.from({ length: lists }, (_none, list) => ({
    at: planned.length + list,
    id: `crash-${planned.length + list}`,
    kind: "list",
    node: "long-list",
    recipients: Array.from({ length: recipients }, (_one, at) => String(first + list * recipients + at)),
    wrong: [],
    fault: null,
  }));
}

function kindOf(dice: number): Kind {
  if (dice < 0.55) return "SMS";
  if (dice < 0.73) return "WhatsApp template";
  return dice < 0.92 ? "RCS" : "few recipients";
}
