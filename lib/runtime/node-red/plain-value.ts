import { types } from "node:util";
import { isPlainObject } from "./is-plain-object";

/** Marks a value that JSON does not have. */
const TYPE = "$type";

/** Nesting depth. Deeper objects are left out because they could not be read back. */
const DEEPEST = 200;

export class TooLong extends Error {}

export interface PlainValue {
  readonly value: unknown;
  /** Paths such as `req` or `payload.stream`. */
  readonly lost: readonly string[];
}

const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && !types.isProxy(value) && Object.keys(value).length === 0);

class Writer {
  readonly lost: string[] = [];
  readonly #parents = new Set<object>();

  constructor(
    private left: number,
    private readonly isLeftOut: (path: string) => boolean,
  ) {}

  write(value: unknown, path: string): unknown {
    switch (typeof value) {
      case "string":
        this.#count(value.length + 2);
        return value;
      case "number":
        this.#count(8);
        return Number.isFinite(value) ? value : { [TYPE]: "Number", value: String(value) };
      case "boolean":
        this.#count(5);
        return value;
      case "bigint":
        this.#count(16);
        return { [TYPE]: "BigInt", value: String(value) };
      case "undefined":
        return undefined;
      case "object":
        return value === null ? null : this.#tryObject(value, path);
      default:
        this.lost.push(path);
        return undefined;
    }
  }

  #count(characters: number): void {
    this.left -= characters;
    if (this.left < 0) {
      throw new TooLong();
    }
  }

  /** Getters and proxies of a flow may throw. Unreadable values are left out. */
  #tryObject(value: object, path: string): unknown {
    try {
      return this.#writeObject(value, path);
    } catch (error) {
      if (error instanceof TooLong) {
        throw error;
      }
      this.lost.push(path);
      return undefined;
    }
  }

  #writeObject(value: object, path: string): unknown {
    if (types.isUint8Array(value)) {
      this.#count(Math.ceil((value.length * 4) / 3));
      const base64 = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
      return { [TYPE]: "Buffer", value: base64 };
    }
    if (types.isDate(value)) {
      this.#count(32);
      const time = Date.prototype.getTime.call(value);
      return { [TYPE]: "Date", value: Number.isNaN(time) ? null : time };
    }
    const isList = Array.isArray(value);
    const isKept = isList || isPlainObject(value) || this.#parents.size === 0;
    if (!isKept || this.#parents.has(value) || this.#parents.size >= DEEPEST) {
      this.lost.push(path);
      return undefined;
    }
    this.#parents.add(value);
    try {
      return isList ? this.#writeList(value, path) : this.#writeEntries(value, path);
    } finally {
      this.#parents.delete(value);
    }
  }

  #writeList(list: readonly unknown[], path: string): unknown {
    // Counted first: a list of holes may be billions long.
    this.#count(list.length);
    const result: unknown[] = [];
    for (let at = 0; at < list.length; at++) {
      result.push(this.#writeProperty(list, at, `${path}[${at}]`) ?? null);
    }
    return result;
  }

  #writeProperty(of: object, key: string | number, path: string): unknown {
    let value: unknown;
    try {
      value = (of as Record<string | number, unknown>)[key];
    } catch {
      this.lost.push(path);
      return undefined;
    }
    if (this.isLeftOut(path) && !isBlank(value)) {
      this.lost.push(path);
      return undefined;
    }
    return this.write(value, path);
  }

  #writeEntries(value: object, path: string): unknown {
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      this.#count(key.length + 4);
      const written = this.#writeProperty(value, key, path === "" ? key : `${path}.${key}`);
      if (written !== undefined) {
        // An assignment would set the prototype for `__proto__`.
        Object.defineProperty(result, key, {
          value: written,
          enumerable: true,
          writable: true,
          configurable: true,
        });
      }
    }
    return Object.hasOwn(result, TYPE) ? { [TYPE]: "Object", value: result } : result;
  }
}

/** Keeps buffers, dates and large numbers; names functions, streams, circles and objects of classes. @throws TooLong */
export function toPlain(
  value: unknown,
  limit: number,
  isLeftOut: (path: string) => boolean = () => false,
): PlainValue {
  const writer = new Writer(limit, isLeftOut);
  return { value: writer.write(value, ""), lost: writer.lost };
}

/** Headers of HTTP requests and responses that prove an identity; the request itself has them too. */
const CREDENTIALS =
  /^(?:req|res|cookies|responseCookies|(?:headers|responseHeaders)\.[^.]*(?:authorization|authenticat|cookie|token|secret|api-?key|password|credential|session)[^.]*)$/i;

/** Converts a message for the store, without credentials of HTTP requests. @throws TooLong */
export const messageToPlain = (msg: object, limit: number): PlainValue =>
  toPlain(msg, limit, (path) => CREDENTIALS.test(path));

const READ: Readonly<Record<string, (value: unknown) => unknown>> = {
  Buffer: (value) => Buffer.from(String(value), "base64"),
  Date: (value) => new Date(value === null ? Number.NaN : Number(value)),
  Number: Number,
  BigInt: (value) => BigInt(String(value)),
  Object: (value) => readEntries(value as object),
};

function readEntries(value: object): unknown {
  const result: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    Object.defineProperty(result, key, {
      value: fromPlain(entry),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return result;
}

export function fromPlain(plain: unknown): unknown {
  if (typeof plain !== "object" || plain === null) {
    return plain;
  }
  if (Array.isArray(plain)) {
    return plain.map(fromPlain);
  }
  const { [TYPE]: type, value } = plain as { [TYPE]?: string; value?: unknown };
  return (type === undefined ? undefined : READ[type])?.(value) ?? readEntries(plain);
}
