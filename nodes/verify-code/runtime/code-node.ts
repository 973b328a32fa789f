import type { Node, NodeAPI, NodeMessage } from "node-red";
import { CODE_DEFAULTS, CODE_FIELDS, CODE_KINDS, CODE_TAKEN, type CodeKind } from "../shared/code-fields";
import { FieldError, SetupError } from "../../../lib/shared/messaging-error";
import { sanitiseName } from "../../../lib/shared/sanitise-text";
import { Codes } from "../store/codes";
import { say } from "../texts";
import { Account } from "../../../lib/runtime/account/account";
import type { FieldConfig } from "../../../lib/runtime/fields/compile-field";
import { FieldReader } from "../../../lib/runtime/fields/field-reader";
import { MessageNode, type Send } from "../../../lib/runtime/node-red/message-node";
import { type AnsweringConfig, readKind } from "../../../lib/runtime/node-red/read-settings";
import { ResultProperty } from "../../../lib/runtime/node-red/result-property";
import { troubleText } from "../../../lib/runtime/node-red/trouble-text";
import { type Checked, CodeService, type Made } from "./code-service";
import { CodeHashes } from "./code-hashes";
import { type CodeRequest, readCodeRequest } from "./code-request";
import { type CodeConfig, type MakeSettings, readMakeSettings, readPerCaller } from "./code-settings";
import { fillTemplate } from "./one-time-code";

export type VerifyCodeConfig = FieldConfig & CodeConfig & AnsweringConfig;

/** Part of the message contract. Never contains the code. */
export type CodeResult =
  | {
      readonly state: "made" | "too-many";
      readonly purpose: string;
      readonly number: string;
      /** ISO 8601; null without a code. */
      readonly expiresAt: string | null;
    }
  | (Checked & { readonly purpose: string; readonly number: string });

type Action =
  | { readonly kind: "make"; readonly settings: MakeSettings }
  | { readonly kind: "check"; readonly perCaller: number };

interface Configured {
  readonly account: Account;
  readonly reader: FieldReader;
  readonly hasCaller: boolean;
  readonly result: ResultProperty;
  readonly action: Action;
}

const PROPERTY = CODE_DEFAULTS.resultProperty;

/** Runs one verify-code node: makes a one-time code for each message, or checks one. */
export class CodeNode {
  readonly #frame: MessageNode;

  constructor(RED: NodeAPI, node: Node, config: VerifyCodeConfig) {
    this.#frame = new MessageNode(node);
    this.#frame.begin({
      configure: () => configure(RED, node, config),
      answer: (msg, send, configured) => this.#answer(msg, send, configured),
      failed: (error) => this.#frame.showFault(faultText(error)),
    });
  }

  /** @throws FieldError, SetupError, StoreError */
  async #answer(msg: NodeMessage, send: Send, configured: Configured): Promise<void> {
    const { account, reader, hasCaller, action } = configured;
    const request = readCodeRequest(await reader.read(msg), account.defaultCountry, hasCaller);
    const { store, scope } = await account.store();
    const codes = store.of(Codes, scope);
    const service = new CodeService(codes, new CodeHashes(await codes.key(), scope));
    if (action.kind === "make") {
      await this.#make(msg, send, service, request, action.settings, configured.result);
    } else {
      await this.#check(msg, send, service, request, action.perCaller, configured.result);
    }
  }

  async #make(
    msg: NodeMessage & { to?: unknown; sensitive?: unknown },
    send: Send,
    service: CodeService,
    request: CodeRequest,
    settings: MakeSettings,
    property: ResultProperty,
  ): Promise<void> {
    const { purpose, caller } = request;
    const number = `+${request.number}`;
    const made = await service.make(request, caller, settings);
    const { state } = made;
    this.#show(state);
    const expiresAt = made.state === "made" ? new Date(made.until).toISOString() : null;
    property.put(msg, { state, purpose, number, expiresAt } satisfies CodeResult);
    if (made.state === "too-many") {
      send([null, msg]);
      return;
    }
    msg.payload = fillTemplate(settings.template, made.code, settings.validFor);
    msg.to = number;
    msg.sensitive = true;
    send([msg, null]);
  }

  async #check(
    msg: NodeMessage,
    send: Send,
    service: CodeService,
    request: CodeRequest,
    perCaller: number,
    property: ResultProperty,
  ): Promise<void> {
    const { purpose, number, code, caller } = request;
    const checked = await service.check(request, code, caller, perCaller);
    const { state } = checked;
    this.#show(state);
    property.put(msg, { ...checked, purpose, number: `+${number}` } satisfies CodeResult);
    send(state === "right" ? [msg, null, null] : state === "wrong" ? [null, msg, null] : [null, null, msg]);
  }

  /** Never shows a code or a number. */
  #show(state: Made["state"] | Checked["state"]): void {
    const good = state === "made" || state === "right";
    const text = say(`codes.badge.${state}`);
    this.#frame.show({ fill: good ? "green" : "yellow", shape: good ? "dot" : "ring", text });
  }
}

/** A wrong number is usually an error of the caller, not of the node. */
function faultText(error: unknown): string {
  if (error instanceof FieldError && error.field === "number") {
    return say("codes.badge.no-number");
  }
  return troubleText(error, say("codes.badge.fails"));
}

/** @throws SetupError BAD_SETTING for a property that the node overwrites */
function propertyOf(kind: CodeKind, config: VerifyCodeConfig): string {
  const property = config.resultProperty.trim() || PROPERTY;
  if (kind === "make" && CODE_TAKEN.test(property)) {
    throw new SetupError("BAD_SETTING", say("codes.taken", { property: sanitiseName(property) }));
  }
  return property;
}

/** @throws SetupError, FieldError */
function configure(RED: NodeAPI, node: Node, config: VerifyCodeConfig): Configured {
  const kind = readKind(CODE_KINDS, config.kind, (values) => say("codes.kind", values));
  return {
    reader: new FieldReader(RED, node, CODE_FIELDS, { ...config, kind }, true),
    hasCaller: config.callerSource !== "blank",
    result: new ResultProperty(RED, node, propertyOf(kind, config), PROPERTY, (values) =>
      say("codes.elsewhere", values),
    ),
    action:
      kind === "make"
        ? { kind, settings: readMakeSettings(config) }
        : { kind, perCaller: readPerCaller(config) },
    account: Account.of(config.account ? RED.nodes.getNode(config.account) : null),
  };
}
