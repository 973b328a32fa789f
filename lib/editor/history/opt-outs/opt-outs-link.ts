import {
  OPT_OUT_COLUMNS,
  type OptOutChange,
  type OptOutCount,
  type OptOutFound,
  type OptOutPage,
  type OptOutRow,
  optOutPath,
} from "../../../shared/opt-outs";
import { texts } from "../../activity/formatting";
import { download, post } from "../../activity/request";

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

export const exportOptOuts = (account: string): Promise<Blob> =>
  download(optOutPath(account, "export"), {
    header: OPT_OUT_COLUMNS.map((column) => texts(`optOuts.column.${column}`)),
  });
