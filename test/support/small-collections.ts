import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options?: { readonly type: "minor" }) => void;

let collector: Collect | undefined;

/** The engine's collector, for everything or, as it mostly works, only for what is young. */
export function collect(what: "everything" | "the young"): void {
  if (collector === undefined) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("gc") as Collect;
  }
  collector(what === "the young" ? { type: "minor" } : undefined);
}
