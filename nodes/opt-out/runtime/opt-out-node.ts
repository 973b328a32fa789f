import type { Node, NodeAPI, NodeMessage } from "node-red";
import { OPT_OUT_FIELDS, OPT_OUT_KINDS, type OptOutKind } from "../../../lib/shared/fields/opt-out-fields";
import type { OptOuts } from "../../../lib/store/guards/opt-outs";
import { propertyName } from "../../../lib/texts/field-names";
import { OPT_OUT_LABELS } from "./opt-out-labels";
import { recipientSentence } from "../../../lib/texts/recipient-sentence";
import { say } from "../../../lib/texts/say";
import { Account } from "../../../lib/runtime/account/account";
import type { FieldConfig } from "../../../lib/runtime/fields/compile-field";
import { FieldReader } from "../../../lib/runtime/fields/field-reader";
import { MessageNode, type Send } from "../../../lib/runtime/node-red/message-node";
import { type AnsweringConfig, readKind } from "../../../lib/runtime/node-red/read-settings";
import { ResultProperty } from "../../../lib/runtime/node-red/result-property";
import { troubleText } from "../../../lib/runtime/node-red/trouble-text";
import { columnOfRows } from "./column-of-rows";
import { addOptOuts, checkResult, divideByOptOut, type OptOutResult, removeOptOuts } from "./opt-out-actions";
import { badgeOf, listedBadge } from "./opt-out-badge";
import { readOptOuts } from "../../../lib/runtime/opt-outs/opt-out-pages";
import { type OptOutRequest, readOptOutRequest } from "./opt-out-request";
import { describeWrong, type ReadNumbers, readNumbers } from "./read-numbers";

export type OptOutConfig = FieldConfig & AnsweringConfig;

type CheckRequest = OptOutRequest & { readonly kind: "check" };

interface Configured {
  readonly account: Account;
  readonly kind: OptOutKind;
  readonly reader: FieldReader;
}

const PROPERTY = "optOut";
/** Property for checked numbers that are not from the message. */
const TO = "to";
const LISTED = "payload";

/** Runs one opt-out node: changes, checks or reads an account's list for each message. */
export class OptOutNode {
  readonly #frame: MessageNode;
  #rounded = false;
  readonly #result: ResultProperty;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    config: OptOutConfig,
  ) {
    const path = config.resultProperty.trim() || PROPERTY;
    this.#result = new ResultProperty(RED, node, path, PROPERTY, (values) =>
      say("optOuts.elsewhere", values),
    );
    this.#frame = new MessageNode(node);
    this.#frame.begin({
      configure: () => configure(RED, node, config),
      answer: (msg, send, configured) => this.#answer(msg, send, configured),
      failed: (error) => this.#frame.showFault(troubleText(error, say("badges.optOut.fails"))),
    });
  }

  /** @throws SetupError, FieldError, StoreError */
  async #answer(msg: NodeMessage, send: Send, configured: Configured): Promise<void> {
    const { account, kind, reader } = configured;
    const request = readOptOutRequest(kind, await reader.read(msg));
    const list = await account.optOuts();
    const numbersOf = async (value: unknown, field: string): Promise<ReadNumbers> => {
      const read = await readNumbers(value, account.defaultCountry, field);
      if (read.rounded !== null && !this.#rounded) {
        this.#rounded = true;
        this.node.warn(recipientSentence(read.rounded));
      }
      return read;
    };
    switch (request.kind) {
      case "add": {
        const read = await numbersOf(request.numbers, "numbers");
        this.#changed(msg, send, await addOptOuts(list, read, request, "numbers"), "numbers");
        break;
      }
      case "import": {
        const read = await numbersOf(await columnOfRows(request.rows, request.column), "rows");
        const entry = { scope: request.scope, source: "import" } as const;
        this.#changed(msg, send, await addOptOuts(list, read, entry, "rows"), "rows");
        break;
      }
      case "remove": {
        const read = await numbersOf(request.numbers, "numbers");
        this.#changed(msg, send, await removeOptOuts(list, read), "numbers");
        break;
      }
      case "check":
        await this.#check(msg, send, list, request, configured);
        break;
      case "list":
        await this.#list(msg, send, list, request.pageSize);
        break;
    }
  }

  #changed(msg: NodeMessage, send: Send, result: OptOutResult, field: string): void {
    this.#result.put(msg, result);
    this.#frame.show(badgeOf(result, this.#rounded));
    if (result.wrong.length > 0) {
      const label = propertyName(OPT_OUT_LABELS, field)?.label ?? field;
      this.node.warn(`${label} ${describeWrong(result.wrong)}`);
    }
    send([msg]);
  }

  /** Splits a message by opt-outs. Wrong numbers stay with the first part, and a send node reports them. */
  async #check(
    msg: NodeMessage,
    send: Send,
    list: OptOuts,
    { numbers: given, advertisement }: CheckRequest,
    { account, reader }: Configured,
  ): Promise<void> {
    const read = await readNumbers(given, account.defaultCountry, "numbers");
    const division = await divideByOptOut(list, read.numbers, advertisement);
    const { free, optedOut } = division;
    const result = checkResult(division, read);
    this.#frame.show(badgeOf(result));
    const place = reader.messageProperty("numbers") ?? TO;
    const withPlus = (digits: readonly string[]): readonly string[] => digits.map((number) => `+${number}`);
    const isWhole = optedOut.length === 0 || (free.length === 0 && read.wrong.length === 0);
    if (isWhole) {
      this.#result.put(msg, given, place);
      this.#result.put(msg, result);
      send(optedOut.length === 0 ? [msg, null] : [null, msg]);
      return;
    }
    // Avoids a copy of the list.
    this.#result.put(msg, null, place);
    const held: NodeMessage = this.RED.util.cloneMessage(msg);
    this.#result.put(held, withPlus(optedOut.map(({ number }) => number)), place);
    this.#result.put(held, result);
    this.#result.put(msg, [...withPlus(free), ...read.wrong.map(({ value }) => value)], place);
    this.#result.put(msg, { ...result });
    send([msg, held]);
  }

  async #list(
    msg: NodeMessage & { parts?: unknown },
    send: Send,
    list: OptOuts,
    size: number,
  ): Promise<void> {
    const id: string = this.RED.util.generateId();
    const { parts: outer, ...rest } = msg;
    // Avoids a copy of the payload for each page.
    const empty = { ...rest, [LISTED]: null };
    let index = 0;
    let count = 0;
    for await (const { entries, next } of readOptOuts(list, size)) {
      const page: NodeMessage & { parts?: object } = this.RED.util.cloneMessage(empty);
      page.payload = entries;
      page.parts = {
        id,
        type: "array",
        index,
        len: size,
        // Known with the last page. A join node waits for it.
        ...(next === "" && { count: index + 1 }),
        ...(outer !== undefined && { parts: outer }),
      };
      index++;
      count += entries.length;
      send([page]);
    }
    this.#frame.show(listedBadge(count));
  }
}

/** @throws SetupError, FieldError */
function configure(RED: NodeAPI, node: Node, config: OptOutConfig): Configured {
  const kind = readKind(OPT_OUT_KINDS, config.kind, (values) => say("optOuts.kind", values));
  return {
    kind,
    reader: new FieldReader(RED, node, OPT_OUT_FIELDS, { ...config, kind }),
    account: Account.of(config.account ? RED.nodes.getNode(config.account) : null),
  };
}
