import type { Call } from "../engine/engine";
import { call } from "../engine/query";
import { isPerson } from "../schema/person";
import { deleteSlice } from "../schema/statement";

/** ms for which ended waits and unused replies stay, for a repeated start and for a late wait. */
const RETENTION = 60 * 60 * 1000;
const DELETE_ENDED = deleteSlice(
  "waits_delete_ended",
  "waits",
  "id",
  "o.phase = 'ended' AND o.open = 0 AND o.started_at < ?1 ORDER BY o.started_at",
);
const DELETE_UNUSED = deleteSlice(
  "waits_delete_unused",
  "replies",
  "id",
  "o.state = 'new' AND o.wait IS NULL AND o.received_at < ?1 ORDER BY o.received_at",
);
/** Replies of a number that no wait uses. */
export const REPLIES_OF_NUMBER = deleteSlice(
  "waits_delete_number",
  "replies",
  "id",
  `${isPerson("o.number", "?1")} AND o.wait IS NULL AND o.state <> 'used'`,
);

/** Deletes a slice of ended waits and of unused replies. */
export const deleteWaits = (now: number, most: number): readonly Call[] => [
  call(DELETE_ENDED, now - RETENTION, most),
  call(DELETE_UNUSED, now - RETENTION, most),
];
