import type { OptOutRow } from "../../shared/opt-outs";
import type { OptOut } from "../../store/guards/opt-outs";
import { instantOf } from "../store/history/message-record";

/** An entry of the list as a flow and the sidebar get it. */
export const optOutRow = ({ number, scope, at, source }: OptOut): OptOutRow => ({
  number: `+${number}`,
  scope,
  since: instantOf(at),
  source,
});
