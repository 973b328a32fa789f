import type { Node, NodeAPI, NodeMessage } from "node-red";
import { LOG_FIELDS, LOG_KINDS, type LogKind } from "../../../lib/shared/fields/log-fields";
import { FieldError, SetupError } from "../../../lib/shared/messaging-error";
import { StoreError } from "../../../lib/store/engine/store-error";
import { formatNumber } from "../../../lib/texts/format-number";
import { say } from "../../../lib/texts/say";
import { lastResultsOf } from "../../../lib/runtime/results/last-results-of";
import { Account } from "../../../lib/runtime/account/account";
import type { FieldConfig } from "../../../lib/runtime/fields/compile-field";
import { FieldReader } from "../../../lib/runtime/fields/field-reader";
import { MessageNode, type Send } from "../../../lib/runtime/node-red/message-node";
import { getIdentity } from "../../../lib/runtime/node-red/node-identity";
import { type AnsweringConfig, readKind } from "../../../lib/runtime/node-red/read-settings";
import { ResultProperty } from "../../../lib/runtime/node-red/result-property";
import { troubleText } from "../../../lib/runtime/node-red/trouble-text";
import { METRICS_TYPE, openMetrics } from "./open-metrics";
import { answerQuery, type LogAnswer } from "./log-answer";
import { findState } from "./find-state";
import { type HistoryKind, readLogQuery } from "./log-query";

export type LogConfig = FieldConfig &
  AnsweringConfig & {
    readonly openMetrics: boolean;
  };

interface Configured {
  readonly account: Account;
  readonly kind: LogKind;
  readonly openMetrics: boolean;
  readonly reader: FieldReader;
}

interface Looking extends Configured {
  readonly kind: HistoryKind;
}

const looksBack = (configured: Configured): configured is Looking => configured.kind !== "state";

type LogMessage = NodeMessage & { more?: boolean; headers?: Readonly<Record<string, string>> };

const PROPERTY = "payload";

export class LogNode {
  readonly #frame: MessageNode;
  readonly #result: ResultProperty;

  constructor(
    private readonly RED: NodeAPI,
    node: Node,
    config: LogConfig,
  ) {
    const path = config.resultProperty.trim() || PROPERTY;
    this.#result = new ResultProperty(RED, node, path, PROPERTY, ({ property }) =>
      say("record.log.elsewhere", { property }),
    );
    this.#frame = new MessageNode(node);
    this.#frame.begin({
      configure: () => configure(RED, node, config),
      answer: (msg, send, configured) => this.#run(msg, send, configured),
      failed: (error) => this.#frame.showFault(faultText(error)),
    });
  }

  /** @throws SetupError, FieldError, StoreError */
  async #run(msg: LogMessage, send: Send, configured: Configured): Promise<void> {
    if (!looksBack(configured)) {
      await this.#tellState(msg, send, configured);
      return;
    }
    const answer = await this.#answer(msg, configured);
    this.#result.put(msg, answer.value);
    if (answer.more !== null) {
      msg.more = answer.more;
    }
    const found = answer.count > 0 || !Array.isArray(answer.value);
    const text = badgeText(answer);
    this.#frame.show({ fill: found ? "green" : "grey", shape: found ? "dot" : "ring", text });
    send(found ? [msg, null] : [null, msg]);
  }

  async #tellState(msg: LogMessage, send: Send, { account, openMetrics: asText }: Configured): Promise<void> {
    const state = await findState(account, lastResultsOf(this.RED, account.id), Date.now());
    this.#result.put(msg, asText ? openMetrics(state) : state);
    if (asText) {
      msg.headers = { "content-type": METRICS_TYPE };
    }
    const { healthy } = state;
    const text = say(healthy ? "badges.log.healthy" : "badges.log.unhealthy");
    this.#frame.show({ fill: healthy ? "green" : "red", shape: healthy ? "dot" : "ring", text });
    send([msg, null]);
  }

  async #answer(msg: NodeMessage, { account, kind, reader }: Looking): Promise<LogAnswer> {
    const now = Date.now();
    const asked = readLogQuery(kind, await reader.read(msg), account.defaultCountry, now);
    const query = "node" in asked ? { ...asked, node: this.#identity(asked.node) } : asked;
    const kept = await account.store();
    if (kind === "conversation" && !kept.settings.keepTexts) {
      throw new SetupError("TEXTS_NOT_KEPT", say("account.TEXTS_NOT_KEPT"));
    }
    return answerQuery(kept, query, account.zone);
  }

  /** Converts the id of a node in the flow to its name in the store; other names stay. */
  #identity(id: string | undefined): string | undefined {
    const found = id === undefined ? null : this.RED.nodes.getNode(id);
    return found ? getIdentity(found) : id;
  }
}

function faultText(error: unknown): string {
  if (error instanceof SetupError || error instanceof FieldError) {
    return troubleText(error);
  }
  return say(error instanceof StoreError ? "badges.log.storeFails" : "badges.log.fails");
}

/** @throws SetupError, FieldError */
function configure(RED: NodeAPI, node: Node, config: LogConfig): Configured {
  const kind = readKind(LOG_KINDS, config.kind, (values) => say("record.log.kind", values));
  return {
    kind,
    openMetrics: config.openMetrics === true,
    reader: new FieldReader(RED, node, LOG_FIELDS, { ...config, kind }),
    account: Account.of(config.account ? RED.nodes.getNode(config.account) : null),
  };
}

function badgeText({ value, count, more }: LogAnswer): string {
  if (!Array.isArray(value)) {
    return say("badges.log.counted", { n: formatNumber(count) });
  }
  if (count === 0) {
    return say(more === true ? "badges.log.notAmong" : "badges.log.notFound");
  }
  return say(`badges.log.${more ? "more" : "found"}`, { n: formatNumber(count) });
}
