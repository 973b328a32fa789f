import { isRow, type Row } from "../../shared/personal-text/row-number";

/** A message whose values stand for those of later messages while a text is typed. */
export interface Sample {
  readonly message: Row;
  /** The row of the message, where its recipients are rows. Its properties come before those of the message. */
  readonly row: Row | null;
  /** The property of the message that has the row; blank without a row. */
  readonly rowPath: string;
}

/** What is typed as Recipients of the dialog, and what kind of value it is. */
export interface RecipientsSource {
  readonly source: string;
  readonly value: string;
}

/** A row of a table, or a whole message. */
export type Pasted = { readonly row: Row } | { readonly message: Row };

/** The initial property of Recipients: it holds numbers, where a table that is not sent to as rows is in the payload. */
const INITIAL = "to";
const PAYLOAD = "payload";

/** The value of a property of a message; undefined where it has none. @param path names with dots between them */
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

/** A message as a sample. For a list of rows as Recipients it is the message of the first row. */
export function sampleOf(message: Row, { source, value: path }: RecipientsSource): Sample {
  const held = source === "msg" ? valueAt(message, path) : undefined;
  const first: unknown = Array.isArray(held) ? held[0] : held;
  return isRow(first)
    ? { message: withValue(message, path, first), row: first, rowPath: path }
    : { message, row: null, rowPath: "" };
}

/** Places a pasted row in the payload, or in another property from which Recipients come. */
export function pastedSample(pasted: Pasted, recipients: RecipientsSource): Sample {
  if ("message" in pasted) {
    return sampleOf(pasted.message, recipients);
  }
  const message = { [PAYLOAD]: pasted.row };
  const { source, value: path } = recipients;
  const isElsewhere =
    source === "msg" && path !== "" && path !== INITIAL && valueAt(message, path) === undefined;
  return sampleOf(isElsewhere ? withValue({}, path, pasted.row) : message, recipients);
}

export const sourcesOf = ({ message, row }: Sample): readonly object[] =>
  row === null ? [message] : [row, message];

/** A sample as one object, for a test message: what a path means in it is what it means in the sample. */
export const flatSample = ({ message, row }: Sample): Row => ({ ...message, ...row });
