import { isRow, type Row } from "../../shared/personal-text/row-number";

/** A message whose values stand for those of later messages while a text is typed. */
export interface Sample {
  readonly message: Row;
  /** Its properties precede those of the message; null if recipients are no rows. */
  readonly row: Row | null;
  /** Blank without a row. */
  readonly rowPath: string;
}

export interface RecipientsSource {
  readonly source: string;
  readonly value: string;
}

export type Pasted = { readonly row: Row } | { readonly message: Row };

/** The initial property holds numbers, so a pasted table is in the payload instead. */
const INITIAL = "to";
const PAYLOAD = "payload";

/** @param path names with dots between them */
export const valueAt = (message: Row, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((at, name) => (isRow(at) && Object.hasOwn(at, name) ? at[name] : undefined), message);

function withValue(message: Row, path: string, value: unknown): Row {
  const at = path.indexOf(".");
  if (at === -1) {
    return { ...message, [path]: value };
  }
  const name = path.slice(0, at);
  const inner = message[name];
  return { ...message, [name]: withValue(isRow(inner) ? inner : {}, path.slice(at + 1), value) };
}

/** For a list of rows, the sample is the first row. */
export function toSample(message: Row, { source, value: path }: RecipientsSource): Sample {
  const held = source === "msg" ? valueAt(message, path) : undefined;
  const first: unknown = Array.isArray(held) ? held[0] : held;
  return isRow(first)
    ? { message: withValue(message, path, first), row: first, rowPath: path }
    : { message, row: null, rowPath: "" };
}

/** Puts a pasted row into the payload or the property of Recipients. */
export function pastedSample(pasted: Pasted, recipients: RecipientsSource): Sample {
  if ("message" in pasted) {
    return toSample(pasted.message, recipients);
  }
  const message = { [PAYLOAD]: pasted.row };
  const { source, value: path } = recipients;
  const isElsewhere =
    source === "msg" && path !== "" && path !== INITIAL && valueAt(message, path) === undefined;
  return toSample(isElsewhere ? withValue({}, path, pasted.row) : message, recipients);
}

export const sourcesOf = ({ message, row }: Sample): readonly object[] =>
  row === null ? [message] : [row, message];

/** Merges a sample so that each path means the same as in the sample. */
export const flatSample = ({ message, row }: Sample): Row => ({ ...message, ...row });
