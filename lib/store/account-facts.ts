import type { CodeStore } from "./codes";
import type { OnceKeyList } from "./guards/once-keys";
import type { OptOutList } from "./guards/opt-outs";

/** What an account knows of people: in a database, or in memory for as long as the process runs. */
export interface AccountFacts {
  readonly optOuts: OptOutList;
  readonly onceKeys: OnceKeyList;
  readonly codes: CodeStore;
}
