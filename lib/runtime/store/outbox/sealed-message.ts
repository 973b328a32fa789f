import type { NewJob, NewRequest } from "../../../store/jobs/jobs";
import { openText, sealText } from "../seal";

/** What a content belongs to. */
const ofContent = (jobKey: string): string => `content ${jobKey}`;
const ofSnapshot = (jobKey: string): string => `snapshot ${jobKey}`;

/** Before the content: the part that it was taken for, and how many parts the message had then. */
const PLACE = /^(\d+)\/(\d+) /;

/** A request with its content encrypted. @param parts number of parts that the message is taken with */
export const sealRequest = (
  key: Buffer,
  jobKey: string,
  parts: number,
  { content, ...request }: NewRequest,
): NewRequest => ({
  ...request,
  content: sealText(key, ofContent(jobKey), `${request.part}/${parts} ${content}`),
});

/**
 * The content of a request. It opens for the part of the message that it was taken for, and for parts that were split off later,
 * which get the content of another part as it is.
 * @returns null where it cannot be read, or belongs to another request
 */
export function openContent(key: Buffer, jobKey: string, part: number, content: string): string | null {
  const opened = openText(key, ofContent(jobKey), content);
  const [place = "", taken, parts] = PLACE.exec(opened ?? "") ?? [];
  if (opened === null || place === "") {
    return null;
  }
  const isOwn = part === Number(taken);
  const isSplitOff = part >= Number(parts);
  return isOwn || isSplitOff ? opened.slice(place.length) : null;
}

/** Between an encrypted snapshot and what of it is not encrypted. */
const END = "\n";

/**
 * A job with its snapshot encrypted.
 * @param bare the snapshot without the message of the flow, which is what is left where it cannot be decrypted
 */
export const sealSnapshot = <Job extends Pick<NewJob, "key" | "snapshot">>(
  key: Buffer,
  job: Job,
  bare: string,
): Job => ({
  ...job,
  snapshot: job.snapshot === null ? null : sealText(key, ofSnapshot(job.key), job.snapshot) + END + bare,
});

/** The encrypted part of a snapshot and the other one, which begins with `END` or is blank. */
function divided(snapshot: string): readonly [sealed: string, bare: string] {
  const end = snapshot.indexOf(END);
  return end < 0 ? [snapshot, ""] : [snapshot.slice(0, end), snapshot.slice(end)];
}

/**
 * @param key null where there is none
 * @returns the snapshot, and whether it is whole; without the message of the flow where it cannot be read
 */
export function openSnapshot(
  key: Buffer | null,
  jobKey: string,
  snapshot: string,
): { readonly text: string; readonly whole: boolean } {
  const [sealed, bare] = divided(snapshot);
  const opened = key === null ? null : openText(key, ofSnapshot(jobKey), sealed);
  return { text: opened ?? (bare.slice(END.length) || "{}"), whole: opened !== null };
}
