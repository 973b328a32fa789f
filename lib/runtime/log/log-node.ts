import type { Node, NodeAPI, NodeMessage } from "node-red";
import { LOG_FIELDS, type LogKind } from "../../shared/fields/log-fields";
import { FieldError, SetupError } from "../../shared/messaging-error";
import { sanitiseName } from "../../shared/sanitise-text";
import { StoreError } from "../../store/engine/store-error";
import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import { Account } from "../account/account";
import type { FieldConfig } from "../fields/compile-field";
import { FieldReader } from "../fields/field-reader";
import { identityOf } from "../node-red/node-identity";
import { MessageRuns, type Send } from "../node-red/message-runs";
import { troubleText } from "../node-red/trouble-text";
import { answerQuery, type LogAnswer } from "./log-answer";
import { readLogKind, readLogQuery } from "./log-query";

export interface LogConfig extends FieldConfig {
  readonly account: string;
  readonly kind: string;
  /** Path in `msg`, without `msg.`, that takes what was found. */
  readonly resultProperty: string;
}

interface Configured {
  readonly account: Account;
  readonly kind: LogKind;
  readonly reader: FieldReader;
}

/** Where the answer goes unless the node names a property. */
const PROPERTY = "payload";

/** Runs one message-log node: asks the account's history for each message. */
export class LogNode {
  /** Read at the start, because a closing node can no longer look up its account. */
  readonly #configured: Configured | Error;
  readonly #property: string;
  readonly #runs: MessageRuns;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    config: LogConfig,
  ) {
    this.#property = config.resultProperty.trim() || PROPERTY;
    this.#configured = configure(RED, node, config);
    this.#runs = new MessageRuns(
      node,
      (msg, send) => this.#run(msg, send),
      (error) => this.#fail(error),
    );
    if (this.#configured instanceof Error) {
      this.#fail(this.#configured);
    }
  }

  async #run(msg: NodeMessage, send: Send): Promise<void> {
    const answer = await this.#answer(msg);
    this.#put(msg, answer);
    const found = answer.count > 0 || !Array.isArray(answer.value);
    this.#runs.show({
      fill: found ? "green" : "grey",
      shape: found ? "dot" : "ring",
      text: badgeText(answer),
    });
    send(found ? [msg, null] : [null, msg]);
  }

  /** @throws SetupError, FieldError, StoreError */
  async #answer(msg: NodeMessage): Promise<LogAnswer> {
    if (this.#configured instanceof Error) {
      throw this.#configured;
    }
    const { account, kind, reader } = this.#configured;
    const now = Date.now();
    const asked = readLogQuery(kind, await reader.read(msg), account.defaultCountry, now);
    const query = "node" in asked ? { ...asked, node: this.#identity(asked.node) } : asked;
    const kept = await account.store();
    if (kept === null) {
      throw new SetupError("NO_STORE", say("account.NO_STORE"));
    }
    return answerQuery(kept.store.history, kept.account, query, now);
  }

  /** The store's name of a node of which the flow gives the id; a name as records have it stays as it is. */
  #identity(id: string | undefined): string | undefined {
    const found = id === undefined ? null : this.RED.nodes.getNode(id);
    return found ? identityOf(found) : id;
  }

  /** Writes the answer into the message, and of a search whether there is more. */
  #put(msg: NodeMessage & { more?: boolean }, { value, more }: LogAnswer): void {
    // False for a path that leads through a text or number.
    const wasSet: unknown = this.RED.util.setMessageProperty(msg, this.#property, value, true);
    if (wasSet === false) {
      msg.payload = value;
      this.node.warn(say("record.log.elsewhere", { property: sanitiseName(this.#property) }));
    }
    if (more !== null) {
      msg.more = more;
    }
  }

  #fail(error: unknown): void {
    const isKnown = error instanceof SetupError || error instanceof FieldError;
    const text = isKnown
      ? troubleText(error)
      : say(error instanceof StoreError ? "badges.log.storeFails" : "badges.log.fails");
    this.#runs.show({ fill: "red", shape: "ring", text });
  }
}

/** @returns the error where the node cannot work as it is set up; each message is told */
function configure(RED: NodeAPI, node: Node, config: LogConfig): Configured | Error {
  try {
    const kind = readLogKind(config.kind);
    return {
      kind,
      reader: new FieldReader(RED, node, LOG_FIELDS, { ...config, kind }),
      account: Account.of(config.account ? RED.nodes.getNode(config.account) : null),
    };
  } catch (error) {
    return error as Error;
  }
}

function badgeText({ value, count, more }: LogAnswer): string {
  if (!Array.isArray(value)) {
    return say("badges.log.counted", { n: formatNumber(count) });
  }
  return count === 0
    ? say("badges.log.notFound")
    : say(`badges.log.${more ? "more" : "found"}`, { n: formatNumber(count) });
}
