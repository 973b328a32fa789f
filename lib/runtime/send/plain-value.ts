import { types } from "node:util";

/** Marks a value that JSON does not have. */
const TYPE = "$type";

/** The message is longer than its snapshot may be. */
export class TooLong extends Error {}

/** A value that JSON can hold, and the paths of what it cannot. */
export interface PlainValue {
  readonly value: unknown;
  /** Paths such as `req` or `payload.stream`. */
  readonly lost: readonly string[];
}

class Writer {
  readonly lost: string[] = [];
  readonly #parents = new Set<object>();

  constructor(private left: number) {}

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
        return value === null ? null : this.#writeObject(value, path);
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

  #writeObject(value: object, path: string): unknown {
    if (types.isUint8Array(value)) {
      this.#count(Math.ceil((value.length * 4) / 3));
      const base64 = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
      return { [TYPE]: "Buffer", value: base64 };
    }
    if (types.isDate(value)) {
      this.#count(32);
      return { [TYPE]: "Date", value: value.getTime() };
    }
    const isList = Array.isArray(value);
    // Function nodes run in a context of their own, whose objects have another Object.prototype.
    const prototype: object | null = Object.getPrototypeOf(value);
    const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
    if ((!isList && !isPlain) || this.#parents.has(value)) {
      this.lost.push(path);
      return undefined;
    }
    this.#parents.add(value);
    const written = isList ? this.#writeList(value, path) : this.#writeEntries(value, path);
    this.#parents.delete(value);
    return written;
  }

  #writeList(list: readonly unknown[], path: string): unknown {
    return list.map((entry, at) => {
      this.#count(1);
      return this.write(entry, `${path}[${at}]`) ?? null;
    });
  }

  #writeEntries(value: object, path: string): unknown {
    const result: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(value)) {
      this.#count(key.length + 4);
      const written = this.write(entry, path === "" ? key : `${path}.${key}`);
      if (written !== undefined) {
        // Not by assignment, which would set the prototype for `__proto__`.
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

/**
 * Turns a value into one that JSON can hold. Buffers, dates and large numbers are kept; functions, streams, objects of classes and
 * circles are left out and named.
 * @param limit characters
 * @throws TooLong
 */
export function toPlain(value: unknown, limit: number): PlainValue {
  const writer = new Writer(limit);
  return { value: writer.write(value, ""), lost: writer.lost };
}

const READ: Readonly<Record<string, (value: unknown) => unknown>> = {
  Buffer: (value) => Buffer.from(String(value), "base64"),
  Date: (value) => new Date(Number(value)),
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

/** The value that `toPlain` was given, without what was lost. */
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
