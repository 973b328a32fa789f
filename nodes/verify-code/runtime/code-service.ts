import { toPerson } from "../../../lib/shared/recipients/person";
import type { CodeCharacters } from "../shared/code-fields";
import type { CodeId, Codes, Counted } from "../store/codes";
import { type CodeHashes, isSameHash } from "./code-hashes";
import { newCode, plainCode } from "./one-time-code";

export interface CodeRules {
  readonly length: number;
  readonly characters: CodeCharacters;
  /** ms */
  readonly validFor: number;
  /** Wrong codes that invalidate a code. */
  readonly tries: number;
  /** Codes made for one number in an hour. */
  readonly perNumber: number;
  /** Codes made and checked for one caller in an hour. */
  readonly perCaller: number;
}

/** Null without a limit of callers. */
export type Caller = string | null;

export type Made =
  | {
      readonly state: "made";
      readonly code: string;
      /** Epoch ms at which it expires. */
      readonly until: number;
    }
  | { readonly state: "too-many" };

export interface Checked {
  readonly state: "right" | "wrong" | "expired" | "too-many" | "none";
  readonly triesLeft: number | null;
}

const ofPerson = ({ purpose, number }: CodeId): CodeId => ({ purpose, number: toPerson(number) });

const ended = (state: Exclude<Checked["state"], "wrong">): Checked => ({ state, triesLeft: null });

/** Makes and checks one-time codes of an account. Counts each action before it. */
export class CodeService {
  constructor(
    private readonly store: Pick<Codes, "count" | "put" | "try" | "use">,
    private readonly hashes: CodeHashes,
  ) {}

  /** Makes a code, which replaces an earlier one of the same purpose and number. @throws StoreError */
  async make(given: CodeId, caller: Caller, rules: CodeRules): Promise<Made> {
    const id = ofPerson(given);
    const counted: readonly Counted[] = [
      { kind: "number", subject: this.hashes.ofCounted("number", id.number), most: rules.perNumber },
      ...this.#callers(caller, rules.perCaller),
    ];
    if (!(await this.store.count(counted))) {
      return { state: "too-many" };
    }
    const code = newCode(rules.length, rules.characters);
    const hash = this.hashes.ofCode(id, code);
    const until = await this.store.put({ ...id, hash, validFor: rules.validFor, most: rules.tries });
    return { state: "made", code, until };
  }

  /**
   * Checks a code, and deletes a right one.
   * @param perCaller codes made and checked for one caller in an hour
   * @throws StoreError: an attempt may be counted
   */
  async check(given: CodeId, typed: string, caller: Caller, perCaller: number): Promise<Checked> {
    const id = ofPerson(given);
    if (!(await this.store.count(this.#callers(caller, perCaller)))) {
      return ended("too-many");
    }
    const hash = this.hashes.ofCode(id, plainCode(typed));
    const tried = await this.store.try(id);
    const isRight = isSameHash(tried.state === "valid" ? tried.hash : null, hash);
    if (tried.state !== "valid") {
      return ended(tried.state);
    }
    if (isRight) {
      return ended((await this.store.use(id, hash)) ? "right" : "none");
    }
    return tried.triesLeft > 0 ? { state: "wrong", triesLeft: tried.triesLeft } : ended("too-many");
  }

  #callers(caller: Caller, most: number): readonly Counted[] {
    return caller === null
      ? []
      : [{ kind: "caller", subject: this.hashes.ofCounted("caller", caller), most }];
  }
}
