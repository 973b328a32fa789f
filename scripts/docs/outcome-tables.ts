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

/** The meaning of a code; where it depends on what is sent, each meaning with its kind. */
function allMeanings(row: StatusCode): string {
  const { narrower = [], withTransferId } = row;
  const kinds = narrower.map((kind) => `${kind}: ${meaningOf(row, kind)}`);
  const needed = withTransferId
    ? ["Only together with a transferId; without one the code counts as not listed."]
    : [];
  return [meaningOf(row), ...kinds, ...needed].join(" ");
}

const codes = (style: Style): string =>
  markdownTable(
    ["Code", "Name", "Meaning", "Outcome", "What to do"],
    STATUS_CODES.filter((row) => row.style === style).map((row) => [
      String(row.code),
      `\`${row.name}\``,
      allMeanings(row),
      `\`${row.outcome}\``,
      adviceOf(row),
    ]),
  );

const plain = (first: string, rows: readonly (readonly [string, LocalOutcome])[]): string =>
  markdownTable(
    [first, "Meaning", "Outcome", "What to do"],
    rows.map(([name, row]) => [name, meaningOf(row), `\`${row.outcome}\``, adviceOf(row)]),
  );

const RESEND = {
  no: "no",
  "after-change": "after a change",
  yes: "yes",
  "check-first": "only after checking",
};

/** The tables of the page about outcomes, by the name of their place in it. */
export const OUTCOME_TABLES: Readonly<Record<string, () => string>> = {
  outcomes: () =>
    markdownTable(
      ["Outcome", "Output of 4", "Output of 6", "Raised as an error if not wired", "Is sending again safe?"],
      Object.values(OUTCOMES).map(({ outcome, portOf4, portOf6, failure, resend }) => [
        `\`${outcome}\``,
        String(portOf4 + 1),
        String(portOf6 + 1),
        failure ? "yes" : "no",
        RESEND[resend],
      ]),
    ),
  legacy: () => codes("legacy"),
  oauth: () => codes("oauth"),
  unlisted: () =>
    plain("Code", [
      ["any other 4xxx", unlistedCode(4999)],
      ["any other", unlistedCode(9999)],
    ]),
  bare: () =>
    plain("HTTP status", [
      ["2xx with the file of a download, or the `mediaId` of an upload", MOVED_FILE],
      ...BARE_STATUSES.map(([written, status]) => [written, findBareStatus(status)] as const),
      ["503, with the account's setting", findBareStatus(503, true)],
    ]),
  local: () =>
    plain(
      "Name",
      Object.entries(LOCAL_FAULTS).map(([name, row]) => [`\`${name}\``, row]),
    ),
};
