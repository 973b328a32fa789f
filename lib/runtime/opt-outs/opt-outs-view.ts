import type { CsvRequest } from "../../shared/csv";
import {
  OPT_OUT_COLUMNS,
  OPT_OUT_VIEW_PAGE,
  type OptOutChange,
  type OptOutCount,
  type OptOutFound,
  type OptOutPage,
  type OptOutRow,
} from "../../shared/opt-outs";
import { oneNumber } from "../../shared/recipients/one-number";
import type { OptOuts, OptOutScope } from "../../store/guards/opt-outs";
import type { Account } from "../account/account";
import { CsvTable, csvFile } from "../store/history/csv-table";
import type { AccountStore } from "../store/open-store";
import { isInMemory } from "../store/store-settings";
import { digitsOf, NoNumber } from "../store/history/history-view";
import { optOutRow, readOptOuts, readPage } from "./opt-out-pages";

/** Each function may throw SetupError and StoreError. */

export async function countOptOuts({ store, scope, settings }: AccountStore): Promise<OptOutCount> {
  return { count: await store.optOuts(scope).count(), memory: isInMemory(settings) };
}

/** @param after last number of the previous page; blank for the first page */
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

const EXPORT_PAGE = 1_000;

const cellsOf = ({ number, scope, since, source }: OptOutRow, table: CsvTable): readonly string[] => [
  table.phone(number),
  table.word("scope", scope),
  table.time(since),
  table.word("source", source),
];

/** The list as CSV. @param request with titles of `OPT_OUT_COLUMNS`, in their order */
export function optOutsCsv(list: OptOuts, request: CsvRequest): AsyncIterable<string> {
  const table = new CsvTable(request);
  return csvFile(
    table,
    OPT_OUT_COLUMNS,
    readOptOuts(list, EXPORT_PAGE),
    ({ entries }) => entries,
    (row) => cellsOf(row, table),
  );
}
