import { MessagingError } from "../../../lib/shared/messaging-error";
import { formatNumber } from "../../../lib/texts/format-number";
import { say } from "../texts";

/** Keys of which a node gathers at the same time. */
export const MOST_KEYS = 10_000;

/** ms by which a message may come from the future before the clock counts as set back. */
export const SET_BACK = 60_000;

/** How the stored keys of sensitive messages begin, which have digests of their own. No key begins with a space. */
export const SENSITIVE_KEY = " ";

/** A node has as many keys as it may. */
export const tooManyKeys = (): MessagingError =>
  new MessagingError("DIGEST_FULL", say("digest.full.keys", { most: formatNumber(MOST_KEYS) }));

export interface NewItem {
  /** What messages are gathered by, trimmed; blank for all together. */
  readonly key: string;
  /** What is listed of it, as JSON. */
  readonly item: string;
  /** The message as text, from which that of the digest is made. */
  readonly message: string;
  /** Whether its digest is sensitive. */
  readonly sensitive: boolean;
  /** ms for which the first one waits. */
  readonly wait: number;
  /** ms between two digests. */
  readonly every: number;
  /** ms without a message after which a key is quiet again. */
  readonly quiet: number;
  /** Items of one digest. */
  readonly most: number;
}

/** `digest`: collected messages; `ended`: a quiet key, whose next message is a first one again. */
export type EmissionKind = "digest" | "ended";

/** A digest, or the end of one, that a node emits. */
export interface Emission {
  readonly id: number;
  /** Number of the emission of its key. */
  readonly batch: number;
  /** Name of this attempt, unique. */
  readonly emission: string;
  readonly kind: EmissionKind;
  readonly key: string;
  readonly count: number;
  /** Messages since the key was quiet, with emitted ones. */
  readonly total: number;
  /** Epoch ms of the first message since it was quiet. */
  readonly startedAt: number;
  /** The first ones of those gathered, as they were added. */
  readonly items: readonly string[];
  /** The newest one. */
  readonly lastItem: string;
  /** The newest message. */
  readonly message: string;
  /** True if one of its messages is sensitive. */
  readonly sensitive: boolean;
  /** True if a process that ended, or flows that stopped, may have emitted it. */
  readonly restored: boolean;
}

/** Returns the name of an emission in every process that may emit it. */
export const getEmissionName = ({ id, batch, startedAt }: Emission): string => `${id}-${batch}-${startedAt}`;

/** What a node has gathered. */
export interface DigestCounts {
  /** Keys with gathered messages, and those messages. Of at most 10,000 keys. */
  readonly keys: number;
  readonly gathered: number;
  readonly muted: number;
  /** Epoch ms of the next digest; null without one. */
  readonly next: number | null;
}

/**
 * `flush`: emits collected messages and unmutes the key; `drop`: deletes them; `mute`: emits nothing until the key is quiet.
 */
export type DigestOrder = "flush" | "drop" | "mute";
