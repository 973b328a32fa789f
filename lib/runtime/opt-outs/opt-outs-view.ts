import {
  OPT_OUT_VIEW_PAGE,
  type OptOutChange,
  type OptOutCount,
  type OptOutFound,
  type OptOutPage,
  type OptOutRow,
} from "../../shared/opt-outs";
import { oneNumber } from "../../shared/recipients/one-number";
import type { OptOutList, OptOutScope } from "../../store/guards/opt-outs";
import type { Account } from "../account/account";
import { csvFile } from "../store/history/history-csv";
import { digitsOf, NoNumber } from "../store/history/history-view";
import { optOutRow, readOptOuts, readPage } from "./opt-out-pages";

/** What the sidebar shows of an account's opt-outs, and does with them. Errors: SetupError, StoreError. */

export async function countOptOuts(account: Account): Promise<OptOutCount> {
  const list = await account.optOuts();
  return { count: await list.count(), memory: !account.keepsMessages };
}

/** @param after number where the page before ended; blank for the first page */
export const listOptOuts = async (account: Account, after: string): Promise<OptOutPage> =>
  readPage(await account.optOuts(), after, OPT_OUT_VIEW_PAGE);

/** @param text a number in any usual spelling @throws NoNumber as well */
export async function findOptOut(account: Account, text: string): Promise<OptOutFound> {
  const number = digitsOf(text, account.defaultCountry);
  const list = await account.optOuts();
  const [found] = await list.find([number]);
  return { number: `+${number}`, entry: found === undefined ? null : optOutRow(found) };
}

/** Adds a number that a send node would send to. @throws NoNumber as well */
export async function addOptOut(account: Account, text: string, scope: OptOutScope): Promise<OptOutChange> {
  const number = oneNumber(text, account.defaultCountry);
  if (number === null) {
    throw new NoNumber();
  }
  const list = await account.optOuts();
  const added = await list.add([number], scope, "sidebar");
  return { number: `+${number}`, changed: added > 0 };
}

/** @throws NoNumber as well */
export async function removeOptOut(account: Account, text: string): Promise<OptOutChange> {
  const number = digitsOf(text, account.defaultCountry);
  const list = await account.optOuts();
  return { number: `+${number}`, changed: (await list.remove([number])) > 0 };
}

/** Rows that the export reads at once. */
const EXPORT_PAGE = 1_000;

/** A number has no plus, so that spreadsheets leave it alone. */
const cellsOf = ({ number, scope, since, source }: OptOutRow): readonly string[] => [
  number.slice(1),
  scope,
  since,
  source,
];

/** The list as CSV. @param header titles of `OPT_OUT_COLUMNS`, in their order */
export const optOutsCsv = (list: OptOutList, header: readonly string[]): AsyncIterable<string> =>
  csvFile(header, readOptOuts(list, EXPORT_PAGE), ({ entries }) => entries.map(cellsOf));
