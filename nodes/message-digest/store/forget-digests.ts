import type { Call, Engine } from "../../../lib/store/engine/engine";
import { call, rowsOf } from "../../../lib/store/engine/query";
import { among, awaited, each, idOf, idsOf, lookUp, sql } from "../../../lib/store/schema/sql";
import { deleteSlice, statement } from "../../../lib/store/schema/statement";

/** ms after which a digest without a node is deleted: longer than a node may wait. */
const ABANDONED = 30 * 86_400_000;
/** ms for which nodes emit digests first that waited while Node-RED was stopped. */
const FIRST_SENT = 30 * 60_000;

const FORGET_ABANDONED_ITEMS = deleteSlice(
  "digests_forget_abandoned_items",
  "digest_items",
  "digest, batch, idx",
  "o.digest IN (SELECT d.id FROM digests d WHERE d.last_at < ?1 ORDER BY d.last_at LIMIT 100)",
);
const FORGET_ABANDONED = deleteSlice(
  "digests_forget_abandoned",
  "digests",
  "id",
  "o.last_at < ?1 AND NOT EXISTS (SELECT 1 FROM digest_items i WHERE i.digest = o.id) ORDER BY o.last_at",
);

/** Deletes a slice of digests without a node. @param now epoch ms @param open ms for which the store is open */
export const forgetDigests = (now: number, open: number, most: number): readonly Call[] =>
  open < FIRST_SENT
    ? []
    : [call(FORGET_ABANDONED_ITEMS, now - ABANDONED, most), call(FORGET_ABANDONED, now - ABANDONED, most)];

/** Characters between the digits of a number. */
const BETWEEN = ["(0)", " ", "\u00a0", "-", ".", "/", "(", ")"];
/** Digits of a number that is searched for in texts: a shorter one may be a temperature, or a count. */
const SHORTEST = 7;

/** True if a text contains the digits ?1, also within longer numbers. */
const mayName = (text: string): string =>
  `${BETWEEN.reduce((all, written) => `replace(${all}, '${written}', '')`, `coalesce(${text}, '')`)} LIKE '%' || CAST(?1 AS text) || '%'`;

/** Digests of a page: each may list two hundred messages of 10,000 characters. */
const PAGE = 5;
const TEXTS = ["digest_key", "message", "last_item", "emission_message", "emission_item"];
// ?2 id of the last one that was read, ?3 how many.
const MAY_NAME = statement("digests_may_name_number")`
    SELECT d.id, CASE WHEN ${TEXTS.map((text) => mayName(`d.${text}`)).join(" OR ")}
      OR EXISTS (SELECT 1 FROM digest_items i WHERE i.digest = d.id AND ${mayName("i.item")}) THEN 1 ELSE 0 END AS found
    FROM digests d WHERE d.id > ?2 ORDER BY d.id LIMIT ?3`;
// The key comes first.
const TEXTS_OF = statement("digests_texts")`
    ${TEXTS.map((text, at) => `SELECT ${at} AS idx, d.${text} AS text FROM digests d WHERE d.id = ?1`).join(" UNION ALL ")}
    UNION ALL SELECT ${TEXTS.length}, i.item FROM digest_items i WHERE i.digest = ?1 ORDER BY idx`;

// Ids in ?1. Locks rows in the order of `add`, so that nothing is added meanwhile.
const LOCK_NAMING = statement("digests_lock_naming")`
    SELECT count(*) AS locked FROM digests o
    WHERE o.id ${awaited(sql`SELECT d.id FROM digests d WHERE d.id ${among(idsOf("?1"))} ORDER BY d.digest_key`)}`;
const FORGET_NAMING_ITEMS = statement("digests_forget_naming_items")`
    DELETE FROM digest_items WHERE (digest, batch, idx) IN (
      SELECT o.digest, o.batch, o.idx FROM ${each("?1")} ${lookUp("digest_items", "o", sql`o.digest = ${idOf()}`)})`;
const FORGET_NAMING = statement("digests_forget_naming")`
    DELETE FROM digests WHERE id ${among(idsOf("?1"))}
    RETURNING count + CASE WHEN phase IS NULL THEN 0 ELSE emission_count END AS gathered`;

/** Matches a number in usual spellings of its international form, not within longer ones. @param number digits */
function spellingsOf(number: string): RegExp {
  const between = `(?:${BETWEEN.map((written) => written.replaceAll(/[().]/g, "\\$&")).join("|")})*`;
  return new RegExp(`(?<!\\d)(?:00)?${[...number].join(between)}(?!\\d)`);
}

/**
 * Deletes digests of all accounts with a number in a message, or in their key, which is all that sensitive ones store.
 * @param number digits
 * @returns deleted messages
 * @throws StoreError
 */
export async function forgetNaming(engine: Engine, number: string): Promise<number> {
  const spellings = spellingsOf(number);
  const names = async (id: number): Promise<boolean> => {
    const texts = (await rowsOf(engine, TEXTS_OF, id)).map(({ text }) => String(text ?? ""));
    return texts.slice(0, number.length < SHORTEST ? 1 : undefined).some((text) => spellings.test(text));
  };
  let gathered = 0;
  for (let last = 0, isLast = false; !isLast; ) {
    const page = await rowsOf(engine, MAY_NAME, number, last, PAGE);
    isLast = page.length < PAGE;
    last = Number(page.at(-1)?.id ?? last);
    for (const { id } of page.filter(({ found }) => Number(found) === 1)) {
      if (await names(Number(id))) {
        const ids = JSON.stringify([Number(id)]);
        const calls = [LOCK_NAMING, FORGET_NAMING_ITEMS, FORGET_NAMING].map((each) => call(each, ids));
        const [, , rows = []] = await engine.run(calls);
        gathered += rows.reduce((sum, row) => sum + Number(row.gathered), 0);
      }
    }
  }
  return gathered;
}
