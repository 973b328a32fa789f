import { OUTCOMES, STATUS_CODES, type StatusCode, type Style } from "../../lib/shared/outcomes";
import {
  BARE_STATUSES,
  findBareStatus,
  LOCAL_FAULTS,
  MOVED_FILE,
  type LocalOutcome,
  unlistedCode,
} from "../../lib/gateway/contract/local-outcomes";
import { adviceOf, meaningOf } from "../../lib/gateway/contract/outcome-texts";
import { markdownTable } from "./markdown-table";
import type { TableWords } from "./table-words/table-words";

/** The meaning of a code; where it depends on what is sent, each meaning with its kind. */
function allMeanings(row: StatusCode, words: TableWords): string {
  const { narrower = [], withTransferId } = row;
  const kinds = narrower.map((kind) => `${kind}: ${meaningOf(row, kind)}`);
  return [meaningOf(row), ...kinds, ...(withTransferId ? [words.withTransferId] : [])].join(" ");
}

const codes = (style: Style, words: TableWords): string =>
  markdownTable(
    [words.code, words.name, ...words.meaningHead],
    STATUS_CODES.filter((row) => row.style === style).map((row) => [
      String(row.code),
      `\`${row.name}\``,
      allMeanings(row, words),
      `\`${row.outcome}\``,
      adviceOf(row),
    ]),
  );

/** The tables of the page about outcomes, by the name of their place in it. They are made in the language of the words. */
export function outcomeTables(words: TableWords): Readonly<Record<string, () => string>> {
  const plain = (first: string, rows: readonly (readonly [string, LocalOutcome])[]): string =>
    markdownTable(
      [first, ...words.meaningHead],
      rows.map(([name, row]) => [name, meaningOf(row), `\`${row.outcome}\``, adviceOf(row)]),
    );
  return {
    outcomes: () =>
      markdownTable(
        words.outcomeHead,
        Object.values(OUTCOMES).map(({ outcome, portOf4, portOf6, failure, resend }) => [
          `\`${outcome}\``,
          String(portOf4 + 1),
          String(portOf6 + 1),
          failure ? words.yes : words.no,
          words.resend[resend],
        ]),
      ),
    legacy: () => codes("legacy", words),
    oauth: () => codes("oauth", words),
    unlisted: () =>
      plain(words.code, [
        [words.anyOther4xxx, unlistedCode(4999)],
        [words.anyOther, unlistedCode(9999)],
      ]),
    bare: () =>
      plain(words.httpStatus, [
        [words.movedFile, MOVED_FILE],
        ...BARE_STATUSES.map(([written, status]) => [written, findBareStatus(status)] as const),
        [words.bare503, findBareStatus(503, true)],
      ]),
    local: () =>
      plain(
        words.name,
        Object.entries(LOCAL_FAULTS).map(([name, row]) => [`\`${name}\``, row]),
      ),
  };
}
