import type { Node, NodeAPI, NodeMessage } from "node-red";
import { OPT_OUT_FIELDS, type OptOutKind } from "../../shared/fields/opt-out-fields";
import { MessagingError } from "../../shared/messaging-error";
import { sanitiseName } from "../../shared/sanitise-text";
import type { OptOutList } from "../../store/guards/opt-outs";
import { propertyName } from "../../texts/field-names";
import { say } from "../../texts/say";
import { Account } from "../account/account";
import type { FieldConfig } from "../fields/compile-field";
import { FieldReader } from "../fields/field-reader";
import { MessageRuns, type Send } from "../node-red/message-runs";
import { troubleText } from "../node-red/trouble-text";
import { columnOfRows } from "./column-of-rows";
import { addOptOuts, checkResult, divideByOptOut, type OptOutResult, removeOptOuts } from "./opt-out-actions";
import { badgeOf, listedBadge } from "./opt-out-badge";
import { readOptOuts } from "./opt-out-pages";
import { optOutRow } from "./opt-out-row";
import { type OptOutRequest, readOptOutKind, readOptOutRequest } from "./opt-out-request";
import { describeWrong, readNumbers } from "./read-numbers";

export interface OptOutConfig extends FieldConfig {
  readonly account: string;
  readonly kind: string;
  /** Path in `msg`, without `msg.`, that takes the result. */
  readonly resultProperty: string;
}

type CheckRequest = OptOutRequest & { readonly kind: "check" };

interface Configured {
  readonly account: Account;
  readonly kind: OptOutKind;
  readonly reader: FieldReader;
}

/** Where the result goes unless the node names a property. */
const PROPERTY = "optOut";
/** Where a check puts the numbers that do not come from the message. */
const TO = "to";
const LISTED = "payload";

/** Runs one opt-out node: changes, asks or reads an account's list for each message. */
export class OptOutNode {
  /** Read at the start, because a closing node can no longer look up its account. */
  readonly #configured: Configured | Error;
  readonly #property: string;
  readonly #runs: MessageRuns;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    config: OptOutConfig,
  ) {
    this.#property = config.resultProperty.trim() || PROPERTY;
    this.#configured = configure(RED, node, config);
    this.#runs = new MessageRuns(
      node,
      (msg, send) => this.#answer(msg, send),
      (error) => this.#fail(error),
    );
    if (this.#configured instanceof Error) {
      this.#fail(this.#configured);
    }
  }

  /** @throws SetupError, FieldError, StoreError */
  async #answer(msg: NodeMessage, send: Send): Promise<void> {
    if (this.#configured instanceof Error) {
      throw this.#configured;
    }
    const { account, kind, reader } = this.#configured;
    const { defaultCountry } = account;
    const request = readOptOutRequest(kind, await reader.read(msg));
    const list = await account.optOuts();
    switch (request.kind) {
      case "add": {
        const read = await readNumbers(request.numbers, defaultCountry, "numbers");
        this.#changed(msg, send, await addOptOuts(list, read, request, "numbers"), "numbers");
        break;
      }
      case "import": {
        const column = await columnOfRows(request.rows, request.column);
        const read = await readNumbers(column, defaultCountry, "rows");
        const entry = { scope: request.scope, source: "import" } as const;
        this.#changed(msg, send, await addOptOuts(list, read, entry, "rows"), "rows");
        break;
      }
      case "remove": {
        const read = await readNumbers(request.numbers, defaultCountry, "numbers");
        this.#changed(msg, send, await removeOptOuts(list, read), "numbers");
        break;
      }
      case "check":
        await this.#check(msg, send, list, request, this.#configured);
        break;
      case "list":
        await this.#list(msg, send, list, request.pageSize);
        break;
    }
  }

  #changed(msg: NodeMessage, send: Send, result: OptOutResult, field: string): void {
    this.#put(msg, this.#property, result);
    this.#runs.show(badgeOf(result));
    if (result.wrong.length > 0) {
      const label = propertyName(this.node.type, field)?.label ?? field;
      this.node.warn(`${label} ${describeWrong(result.wrong)}`);
    }
    send([msg]);
  }

  /** Divides a message by whom it may be sent to. What is no number stays with the first, for a send node to report it. */
  async #check(
    msg: NodeMessage,
    send: Send,
    list: OptOutList,
    { numbers: given, advertisement }: CheckRequest,
    { account, reader }: Configured,
  ): Promise<void> {
    const read = await readNumbers(given, account.defaultCountry, "numbers");
    const division = await divideByOptOut(list, read.numbers, advertisement);
    const { free, optedOut } = division;
    const result = checkResult(division, read);
    this.#runs.show(badgeOf(result));
    const place = reader.messageProperty("numbers") ?? TO;
    const numbersOf = (digits: readonly string[]): readonly string[] => digits.map((number) => `+${number}`);
    const isWhole = optedOut.length === 0 || (free.length === 0 && read.wrong.length === 0);
    if (isWhole) {
      this.#put(msg, place, given);
      this.#put(msg, this.#property, result);
      send(optedOut.length === 0 ? [msg, null] : [null, msg]);
      return;
    }
    // A copy of the list would only be thrown away.
    this.#put(msg, place, null);
    const held: NodeMessage = this.RED.util.cloneMessage(msg);
    this.#put(held, place, numbersOf(optedOut.map(({ number }) => number)));
    this.#put(held, this.#property, result);
    this.#put(msg, place, [...numbersOf(free), ...read.wrong.map(({ value }) => value)]);
    this.#put(msg, this.#property, { ...result });
    send([msg, held]);
  }

  async #list(
    msg: NodeMessage & { parts?: unknown },
    send: Send,
    list: OptOutList,
    size: number,
  ): Promise<void> {
    const id: string = this.RED.util.generateId();
    const { parts: outer, ...rest } = msg;
    // What was there would only be copied for each page.
    const empty = { ...rest, [LISTED]: null };
    let index = 0;
    let count = 0;
    for await (const { entries, isLast } of readOptOuts(list, size)) {
      const page: NodeMessage & { parts?: object } = this.RED.util.cloneMessage(empty);
      page.payload = entries.map(optOutRow);
      page.parts = {
        id,
        type: "array",
        index,
        len: size,
        // How many there are is known with the last one. A join node waits for it.
        ...(isLast && { count: index + 1 }),
        ...(outer !== undefined && { parts: outer }),
      };
      index++;
      count += entries.length;
      send([page]);
    }
    this.#runs.show(listedBadge(count));
  }

  #put(msg: NodeMessage, property: string, value: unknown): void {
    // False for a path that leads through a text or number.
    const wasSet: unknown = this.RED.util.setMessageProperty(msg, property, value, true);
    if (wasSet === false) {
      (msg as unknown as Record<string, unknown>)[PROPERTY] = value;
      this.node.warn(say("optOuts.elsewhere", { property: sanitiseName(property), place: PROPERTY }));
    }
  }

  #fail(error: unknown): void {
    const text = error instanceof MessagingError ? troubleText(error) : say("badges.optOut.fails");
    this.#runs.show({ fill: "red", shape: "ring", text });
  }
}

/** @returns the error where the node cannot work as it is set up; each message is told */
function configure(RED: NodeAPI, node: Node, config: OptOutConfig): Configured | Error {
  try {
    const kind = readOptOutKind(config.kind);
    return {
      kind,
      reader: new FieldReader(RED, node, OPT_OUT_FIELDS, { ...config, kind }),
      account: Account.of(config.account ? RED.nodes.getNode(config.account) : null),
    };
  } catch (error) {
    return error as Error;
  }
}
