import { FieldError } from "../../../lib/shared/messaging-error";
import type { OptOutRow } from "../../../lib/shared/opt-outs";
import { inSlices } from "../../../lib/shared/async/in-slices";
import type { OptOut, OptOuts, OptOutScope, OptOutSource } from "../../../lib/store/guards/opt-outs";
import { optOutRow } from "../../../lib/runtime/opt-outs/opt-out-pages";
import { describeWrong, type ReadNumbers, type WrongNumber } from "./read-numbers";

interface Counted {
  readonly wrong: readonly WrongNumber[];
  /** Entries that repeat another one. */
  readonly duplicates: number;
}

/** What the node writes into the result property. Part of the message contract. */
export type OptOutResult =
  | (Counted & {
      readonly action: "add" | "import";
      /** New in the list, or with a wider scope now. */
      readonly added: number;
      readonly known: number;
    })
  | (Counted & { readonly action: "remove"; readonly removed: number; readonly unknown: number })
  | (Counted & {
      readonly action: "check";
      readonly free: number;
      readonly optedOut: number;
      /** What the list says of those who opted out, in the order of the numbers given. */
      readonly entries: readonly OptOutRow[];
    });

/** Numbers divided by whether they may get a message. */
export interface Division {
  /** Digits. */
  readonly free: readonly string[];
  readonly optedOut: readonly OptOut[];
}

/** A change of the list that finds no valid number has failed. @throws FieldError FIELD_INVALID */
function holdAny({ numbers, wrong }: ReadNumbers, field: string): void {
  if (numbers.length === 0 && wrong.length > 0) {
    throw new FieldError("FIELD_INVALID", field, describeWrong(wrong));
  }
}

/** @param field of the numbers, for errors @throws FieldError, StoreError: what was added before stays, and adding it again is harmless */
export async function addOptOuts(
  list: OptOuts,
  read: ReadNumbers,
  entry: { readonly scope: OptOutScope; readonly source: OptOutSource },
  field: string,
): Promise<OptOutResult> {
  holdAny(read, field);
  const { numbers, wrong, duplicates } = read;
  let added = 0;
  await inSlices(numbers, async (slice) => {
    added += await list.add(slice, entry.scope, entry.source);
  });
  const action = entry.source === "import" ? "import" : "add";
  return { action, added, known: numbers.length - added, wrong, duplicates };
}

/** @throws FieldError, StoreError */
export async function removeOptOuts(list: OptOuts, read: ReadNumbers): Promise<OptOutResult> {
  holdAny(read, "numbers");
  const { numbers, wrong, duplicates } = read;
  let removed = 0;
  await inSlices(numbers, async (slice) => {
    removed += await list.remove(slice);
  });
  return { action: "remove", removed, unknown: numbers.length - removed, wrong, duplicates };
}

/** @param advertisement whether those who only do not want advertisement have opted out @throws StoreError */
export async function divideByOptOut(
  list: OptOuts,
  numbers: readonly string[],
  advertisement: boolean,
): Promise<Division> {
  const free: string[] = [];
  const optedOut: OptOut[] = [];
  await inSlices(numbers, async (slice) => {
    const found = new Map((await list.find(slice)).map((entry) => [entry.number, entry]));
    for (const number of slice) {
      const entry = found.get(number);
      if (entry !== undefined && (advertisement || entry.scope === "all")) {
        optedOut.push(entry);
      } else {
        free.push(number);
      }
    }
  });
  return { free, optedOut };
}

export const checkResult = (
  { free, optedOut }: Division,
  { wrong, duplicates }: Counted,
): OptOutResult & { readonly action: "check" } => ({
  action: "check",
  free: free.length,
  optedOut: optedOut.length,
  entries: optedOut.map(optOutRow),
  wrong,
  duplicates,
});
