import type { Node, NodeAPI, NodeMessage } from "node-red";
import { CODE_DEFAULTS, CODE_FIELDS, CODE_TAKEN, type CodeKind } from "../../shared/fields/code-fields";
import { FieldError, MessagingError, SetupError } from "../../shared/messaging-error";
import { sanitiseName } from "../../shared/sanitise-text";
import { say } from "../../texts/say";
import { Account } from "../account/account";
import type { FieldConfig } from "../fields/compile-field";
import { FieldReader } from "../fields/field-reader";
import { MessageRuns, type Send } from "../node-red/message-runs";
import { troubleText } from "../node-red/trouble-text";
import { badgeOf } from "./code-badge";
import { CodeDesk, type Checked } from "./code-desk";
import { CodeHashes } from "./code-hashes";
import { type CodeRequest, readCodeRequest } from "./code-request";
import {
  type CodeConfig,
  type MakeSettings,
  readCodeKind,
  readMakeSettings,
  readPerCaller,
} from "./code-settings";
import { fillTemplate } from "./fill-template";

export interface VerifyCodeConfig extends FieldConfig, CodeConfig {
  readonly account: string;
  readonly kind: string;
  /** Path in `msg`, without `msg.`, that takes the result. */
  readonly resultProperty: string;
}

/** What the node writes into the result property. Part of the message contract. The code is never in it. */
export type CodeResult =
  | {
      readonly state: "made" | "too-many";
      readonly purpose: string;
      /** With a plus. */
      readonly number: string;
      /** ISO 8601; null where no code was made. */
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
  readonly property: string;
  readonly action: Action;
}

/** Where the result goes unless the node names a property. */
const PROPERTY = CODE_DEFAULTS.resultProperty;
/** Runs one verify-code node: makes a one-time code for each message, or checks one. */
export class CodeNode {
  /** Read at the start, because a closing node can no longer look up its account. */
  readonly #configured: Configured | Error;
  readonly #runs: MessageRuns;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    config: VerifyCodeConfig,
  ) {
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

  /** @throws SetupError, FieldError, StoreError: nothing has left the node then */
  async #answer(msg: NodeMessage, send: Send): Promise<void> {
    if (this.#configured instanceof Error) {
      throw this.#configured;
    }
    const { account, reader, hasCaller, action } = this.#configured;
    const request = readCodeRequest(await reader.read(msg), account.defaultCountry, hasCaller);
    const store = await account.codes();
    const desk = new CodeDesk(store, new CodeHashes(await account.key("codes"), store.account));
    if (action.kind === "make") {
      await this.#make(msg, send, desk, request, action.settings);
    } else {
      await this.#check(msg, send, desk, request, action.perCaller);
    }
  }

  async #make(
    msg: NodeMessage & { to?: unknown; sensitive?: unknown },
    send: Send,
    desk: CodeDesk,
    request: CodeRequest,
    settings: MakeSettings,
  ): Promise<void> {
    const { purpose, caller } = request;
    const number = `+${request.number}`;
    const made = await desk.make(request, caller, settings);
    this.#runs.show(badgeOf(made.state));
    if (made.state === "too-many") {
      this.#put(msg, { state: made.state, purpose, number, expiresAt: null });
      send([null, msg]);
      return;
    }
    this.#put(msg, { state: made.state, purpose, number, expiresAt: new Date(made.until).toISOString() });
    msg.payload = fillTemplate(settings.template, made.code, settings.validFor);
    msg.to = number;
    msg.sensitive = true;
    send([msg, null]);
  }

  async #check(
    msg: NodeMessage,
    send: Send,
    desk: CodeDesk,
    request: CodeRequest,
    perCaller: number,
  ): Promise<void> {
    const { purpose, number, code, caller } = request;
    const checked = await desk.check(request, code, caller, perCaller);
    this.#runs.show(badgeOf(checked.state));
    this.#put(msg, { ...checked, purpose, number: `+${number}` });
    const { state } = checked;
    send(state === "right" ? [msg, null, null] : state === "wrong" ? [null, msg, null] : [null, null, msg]);
  }

  #put(msg: NodeMessage, result: CodeResult): void {
    const property = this.#configured instanceof Error ? PROPERTY : this.#configured.property;
    // False for a path that leads through a text or number.
    const wasSet: unknown = this.RED.util.setMessageProperty(msg, property, result, true);
    if (wasSet === false) {
      (msg as unknown as Record<string, unknown>)[PROPERTY] = result;
      this.node.warn(say("codes.elsewhere", { property: sanitiseName(property), place: PROPERTY }));
    }
  }

  #fail(error: unknown): void {
    this.#runs.show({ fill: "red", shape: "ring", text: failureText(error) });
  }
}

/** What a badge says about an error. A wrong number is mostly a slip of whoever typed it, not a fault of the node. */
function failureText(error: unknown): string {
  if (error instanceof FieldError && error.field === "number") {
    return say("badges.code.no-number");
  }
  return error instanceof MessagingError ? troubleText(error) : say("badges.code.fails");
}

/** @throws SetupError BAD_SETTING */
const actionOf = (kind: CodeKind, config: CodeConfig): Action =>
  kind === "make" ? { kind, settings: readMakeSettings(config) } : { kind, perCaller: readPerCaller(config) };

/** @throws SetupError BAD_SETTING for a property that what a node makes would overwrite */
function propertyOf(kind: CodeKind, config: VerifyCodeConfig): string {
  const property = config.resultProperty.trim() || PROPERTY;
  if (kind === "make" && CODE_TAKEN.test(property)) {
    throw new SetupError("BAD_SETTING", say("codes.taken", { property: sanitiseName(property) }));
  }
  return property;
}

/** @returns the error where the node cannot work as it is set up; each message is told */
function configure(RED: NodeAPI, node: Node, config: VerifyCodeConfig): Configured | Error {
  try {
    const kind = readCodeKind(config.kind);
    return {
      reader: new FieldReader(RED, node, CODE_FIELDS, { ...config, kind }, true),
      hasCaller: config.callerSource !== "blank",
      property: propertyOf(kind, config),
      action: actionOf(kind, config),
      account: Account.of(config.account ? RED.nodes.getNode(config.account) : null),
    };
  } catch (error) {
    return error as Error;
  }
}
