import { MessagingError } from "../../../lib/shared/messaging-error";
import { formatNumber } from "../../../lib/texts/format-number";
import { say } from "../texts";

/** Keys of a node at the same time. */
export const MOST_KEYS = 10_000;

/** ms by which the clock may go back unnoticed. */
export const SET_BACK = 60_000;

/** Prefix of keys of sensitive messages, which have separate digests. Other keys start with no space. */
export const SENSITIVE_KEY = " ";

export const tooManyKeys = (): MessagingError =>
  new MessagingError("DIGEST_FULL", say("digest.full.keys", { most: formatNumber(MOST_KEYS) }));

export interface NewItem {
  /** Trimmed; blank for all messages together. */
  readonly key: string;
  readonly item: string;
  /** The message as JSON, from which that of the digest is made. */
  readonly message: string;
  readonly sensitive: boolean;
  /** ms for which the first one waits. */
  readonly wait: number;
  /** ms between two digests. */
  readonly every: number;
  /** ms without a message after which a key is quiet again. */
  readonly quiet: number;
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
  /** The first collected items. */
  readonly items: readonly string[];
  readonly lastItem: string;
  readonly message: string;
  /** True if one of its messages is sensitive. */
  readonly sensitive: boolean;
  /** True if a process that ended, or flows that stopped, may have emitted it. */
  readonly restored: boolean;
}

/** Returns the name of an emission in every process that may emit it. */
export const getEmissionName = ({ id, batch, startedAt }: Emission): string => `${id}-${batch}-${startedAt}`;

export interface DigestCounts {
  /** Keys with collected messages, at most 10,000. */
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
