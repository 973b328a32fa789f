import { types } from "node:util";
import { isPlainObject } from "./is-plain-object";

/** Nesting depth. Deeper objects are shared, because a copy would overflow the stack. */
const DEEPEST = 200;

class Cloner {
  /** For objects that occur repeatedly or contain themselves. */
  readonly #copies = new Map<object, object>();

  copy(value: unknown, depth: number): unknown {
    if (typeof value !== "object" || value === null || depth > DEEPEST) {
      return value;
    }
    return this.#copies.get(value) ?? this.#copyObject(value, depth);
  }

  #copyObject(value: object, depth: number): object {
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      this.#copies.set(value, list);
      for (const entry of value) {
        list.push(this.copy(entry, depth + 1));
      }
      return list;
    }
    if (Buffer.isBuffer(value)) {
      return Buffer.from(value);
    }
    if (types.isDate(value) || types.isMap(value) || types.isSet(value) || ArrayBuffer.isView(value)) {
      return cloned(value);
    }
    if (!isPlainObject(value)) {
      return value;
    }
    const copy: object = Object.create(Object.getPrototypeOf(value));
    this.#copies.set(value, copy);
    for (const [key, entry] of Object.entries(value)) {
      // A plain assignment to `__proto__` would not make a property.
      Object.defineProperty(copy, key, {
        value: this.copy(entry, depth + 1),
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
    return copy;
  }
}

function cloned(value: object): object {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}

/** Copies plain objects, lists, dates, buffers, maps and sets. Functions and other objects, such as streams, are shared. */
export function cloneMessage<Message extends object>(msg: Message): Message {
  try {
    return new Cloner().copy(msg, 0) as Message;
  } catch {
    // A getter or a proxy of a flow may throw.
    return { ...msg };
  }
}
