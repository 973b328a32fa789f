import { randomBytes } from "node:crypto";
import type { NodeMessage } from "node-red";
import type { DigestText } from "../shared/digest-fields";
import { wallTime } from "../../../lib/shared/schedule/zoned-time";
import { type Emission, getEmissionName } from "../store/digest";
import type { DigestSettings } from "./digest-settings";
import { fromPlain } from "../../../lib/runtime/node-red/plain-value";
import type { GatheredItem } from "./digest-item";
import type { EmissionTexts } from "./sensitive-items";

/** A message that was gathered. Part of the message contract. */
export interface ListedItem {
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The same in the time zone of the account, such as `12:40`. */
  readonly time: string;
  readonly topic?: unknown;
  readonly payload: unknown;
}

/** What the node writes into `msg.digest`. Part of the message contract. */
export interface Digest {
  /** Unique for ever; the same where it leaves again. */
  readonly id: string;
  /** What its messages were gathered by; blank for all together. */
  readonly key: string;
  /** Messages that were gathered for it. */
  readonly count: number;
  /** How many of them are not in `items`. */
  readonly suppressed: number;
  /** Messages since it was quiet, with emitted ones. */
  readonly total: number;
  /** When the first of them came. */
  readonly since: string;
  /** Null where none was gathered: only of what is over. */
  readonly first: ListedItem | null;
  /** The newest message. */
  readonly last: ListedItem | null;
  readonly items: readonly ListedItem[];
  /** Nothing has come for long enough. */
  readonly over: boolean;
  /** Another process, or this one before a restart or a deploy, may have emitted it. */
  readonly restored?: true;
}

/** A digest that leaves, and what is to be said about it. */
export interface DigestMessage {
  readonly msg: NodeMessage;
  /** Paths of the template without a value. */
  readonly missing: readonly string[];
  /** Whether this process does not have a sensitive text of it. */
  readonly lacksTexts: boolean;
}

/** How the names of digests begin. */
const NAMED = "digest-";

/** Whether a value is what such a node writes into `msg.digest`. */
export const isDigest = (value: unknown): boolean => {
  const { id } = (typeof value === "object" && value !== null ? value : {}) as { readonly id?: unknown };
  return typeof id === "string" && id.startsWith(NAMED);
};

const two = (part: number): string => String(part).padStart(2, "0");

/** A time of day in a time zone: `12:40`. */
export function clockIn(at: number, zone: string): string {
  const { hour, minute } = wallTime(at, zone);
  return `${two(hour)}:${two(minute)}`;
}

function listed({ at, topic, payload }: GatheredItem, zone: string): ListedItem {
  return {
    at: new Date(at).toISOString(),
    time: clockIn(at, zone),
    ...(topic != null && topic !== "" && { topic }),
    payload: payload ?? null,
  };
}

const kindOfText = ({ kind, count }: Emission): DigestText =>
  kind === "ended" ? "over" : count === 1 ? "one" : "several";

const newMessage = (): NodeMessage => ({ _msgid: randomBytes(8).toString("hex") });

const read = (text: string): unknown => fromPlain(JSON.parse(text));

/** Makes the message of what leaves a node. */
export function digestMessage(
  emission: Emission,
  known: EmissionTexts,
  { texts }: Pick<DigestSettings, "texts">,
  zone: string,
): DigestMessage {
  const items = known.items.map((text) => listed(read(text) as GatheredItem, zone));
  const newest = known.newest === null ? null : (read(known.newest.item) as GatheredItem);
  const { count, total, kind, sensitive } = emission;
  const digest: Digest = {
    id: `${NAMED}${getEmissionName(emission)}`,
    key: emission.key,
    count,
    suppressed: count - items.length,
    total,
    since: new Date(emission.startedAt).toISOString(),
    first: items[0] ?? null,
    last: newest === null ? null : listed(newest, zone),
    items,
    over: kind === "ended",
    ...(emission.restored && { restored: true }),
  };
  const msg = known.newest === null ? newMessage() : (read(known.newest.message) as NodeMessage);
  const begun = clockIn(emission.startedAt, zone);
  const values = { ...digest, begun, payload: newest?.payload };
  const { text, missing } = texts[kindOfText(emission)].fill([values, msg]);
  Object.assign(msg, { payload: text, digest, ...(sensitive && { sensitive: true }) });
  return { msg, missing, lacksTexts: newest === null || items.length < emission.items.length };
}
