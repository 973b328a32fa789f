import type { CsvForm } from "../../../shared/csv";
import { OPT_OUT_SCOPES } from "../../../shared/fields/opt-out-fields";
import {
  OPT_OUT_COLUMNS,
  OPT_OUT_SOURCES,
  type OptOutChange,
  type OptOutCount,
  type OptOutFound,
  type OptOutPage,
  type OptOutRow,
  optOutPath,
} from "../../../shared/opt-outs";
import { download, post } from "../../activity/request";
import { type CsvTexts, csvRequest } from "../csv-choice";

// Each rejects with a `RequestFailure`.

export const countOptOuts = (account: string): Promise<OptOutCount> => post(optOutPath(account, "count"), {});

/** @param after `next` of the page before; blank for the first page */
export const listOptOuts = (account: string, after: string): Promise<OptOutPage> =>
  post(optOutPath(account, "list"), { after });

/** @param number in any usual spelling */
export const findOptOut = (account: string, number: string): Promise<OptOutFound> =>
  post(optOutPath(account, "find"), { number });

export const addOptOut = (
  account: string,
  number: string,
  scope: OptOutRow["scope"],
): Promise<OptOutChange> => post(optOutPath(account, "add"), { number, scope });

export const removeOptOut = (account: string, number: string): Promise<OptOutChange> =>
  post(optOutPath(account, "remove"), { number });

const TABLE: CsvTexts = {
  titles: OPT_OUT_COLUMNS.map((column) => `optOuts.column.${column}`),
  words: [
    ["scope", OPT_OUT_SCOPES, (scope) => `optOuts.scope.${scope}`],
    ["source", OPT_OUT_SOURCES, (source) => `optOuts.source.${source}`],
  ],
};

export const exportOptOuts = (account: string, form: CsvForm): Promise<Blob> =>
  download(optOutPath(account, "export"), { csv: csvRequest(form, TABLE) });
