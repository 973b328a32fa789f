import { FieldError } from "../../../lib/shared/messaging-error";
import type { OptOutRow } from "../../../lib/shared/opt-outs";
import { inSlices } from "../../../lib/shared/async/in-slices";
import type { OptOut, OptOuts, OptOutScope, OptOutSource } from "../../../lib/store/guards/opt-outs";
import { optOutRow } from "../../../lib/runtime/opt-outs/opt-out-pages";
import { describeWrong, type ReadNumbers, type WrongNumber } from "./read-numbers";

interface Counted {
  readonly wrong: readonly WrongNumber[];
  readonly duplicates: number;
}

/** Part of the message contract. */
export type OptOutResult =
  | (Counted & {
      readonly action: "add" | "import";
      /** New, or with a wider scope. */
      readonly added: number;
      readonly known: number;
    })
  | (Counted & { readonly action: "remove"; readonly removed: number; readonly unknown: number })
  | (Counted & {
      readonly action: "check";
      readonly free: number;
      readonly optedOut: number;
      /** In the order of the given numbers. */
      readonly entries: readonly OptOutRow[];
    });

export interface Division {
  readonly free: readonly string[];
  readonly optedOut: readonly OptOut[];
}

/** @throws FieldError FIELD_INVALID if no number is valid */
function holdAny({ numbers, wrong }: ReadNumbers, field: string): void {
  if (numbers.length === 0 && wrong.length > 0) {
    throw new FieldError("FIELD_INVALID", field, describeWrong(wrong));
  }
}

/** @param field for errors @throws FieldError, StoreError: numbers may be added already */
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

/** @param advertisement true to include opt-outs of advertisement only @throws StoreError */
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
