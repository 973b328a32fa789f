import { MessagingError } from "../shared/messaging-error";
import { formatNumber } from "../texts/format-number";
import { say } from "../texts/say";

/** Keys of which a node gathers at the same time. */
export const MOST_KEYS = 10_000;

/** ms by which a message may come from the future before the clock counts as set back. */
export const SET_BACK = 60_000;

/** How the stored keys of sensitive messages begin, which have digests of their own. No key begins with a space. */
export const SENSITIVE_KEY = " ";

/** A node has as many keys as it may. */
export const tooManyKeys = (): MessagingError =>
  new MessagingError("DIGEST_FULL", say("digest.full.keys", { most: formatNumber(MOST_KEYS) }));

/** A message that is gathered. */
export interface NewItem {
  /** What messages are gathered by, trimmed; blank for all together. */
  readonly key: string;
  /** What is listed of it, as JSON. */
  readonly item: string;
  /** The message as text, from which that of the digest is made. */
  readonly message: string;
  /** Whether its digest is sensitive. */
  readonly sensitive: boolean;
  /** ms for which the first one waits; 0: it leaves at once. */
  readonly wait: number;
  /** ms between two digests. */
  readonly every: number;
  /** ms without a message after which a key is quiet again. */
  readonly quiet: number;
  /** Items of one digest. */
  readonly most: number;
}

/** `digest`: what was gathered; `over`: nothing has come for long enough, so the next message is a first one again. */
export type DepartureKind = "digest" | "over";

/** What has to leave a node. */
export interface Departure {
  readonly id: number;
  /** Which one of its key it is; with `begunAt` it is the same one again where another process, or this one under another name, has taken it over. */
  readonly batch: number;
  /** Name of this one try, unique for ever. */
  readonly departure: string;
  readonly kind: DepartureKind;
  readonly key: string;
  /** Messages that were gathered for it. */
  readonly count: number;
  /** Messages since the beginning, also those that have left before. */
  readonly total: number;
  /** Epoch ms of the first message since it was quiet. */
  readonly begunAt: number;
  /** The first ones of those gathered, as they were added. */
  readonly items: readonly string[];
  /** The newest one. */
  readonly lastItem: string;
  /** The newest message. */
  readonly message: string;
  /** Whether one of those gathered is sensitive; of what is over, one of all that have come. */
  readonly sensitive: boolean;
  /** Whether it may have left before, from a process that has ended, or just as the flows stopped. */
  readonly restored: boolean;
}

/** Names what leaves, the same where another process, or this one under another name, has taken it over. */
export const departureName = ({ id, batch, begunAt }: Departure): string => `${id}-${batch}-${begunAt}`;

/** What a node has gathered. */
export interface DigestCounts {
  /** Keys with gathered messages, and those messages. Of at most 10,000 keys. */
  readonly keys: number;
  readonly gathered: number;
  /** Keys of which nothing leaves until they are quiet. */
  readonly muted: number;
  /** Epoch ms at which the next digest leaves; null where there is none. */
  readonly next: number | null;
}

/**
 * `flush`: what was gathered leaves now, and a muted key is so no more; `drop`: it is forgotten; `mute`: nothing leaves until the key is quiet.
 */
export type DigestOrder = "flush" | "drop" | "mute";
