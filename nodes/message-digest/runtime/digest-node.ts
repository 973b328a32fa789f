import type { Node, NodeAPI, NodeMessage } from "node-red";
import { findIdProblem } from "../../../lib/gateway/contract/well-formed";
import { DIGEST_FIELDS, DIGEST_ORDERS, FOR_ALL, LONGEST_KEY } from "../shared/digest-fields";
import { FieldError } from "../../../lib/shared/messaging-error";
import { sanitiseName } from "../../../lib/shared/sanitise-text";
import { systemZone } from "../../../lib/shared/schedule/zoned-time";
import type { Emission } from "../store/digest";
import { quoteValue } from "../../../lib/texts/quote-value";
import { say } from "../texts";
import { Account } from "../../../lib/runtime/account/account";
import { FieldReader } from "../../../lib/runtime/fields/field-reader";
import { FlowLifecycle } from "../../../lib/runtime/node-red/flow-lifecycle";
import { MessageNode } from "../../../lib/runtime/node-red/message-node";
import { getIdentity } from "../../../lib/runtime/node-red/node-identity";
import { isSensitive } from "../../../lib/runtime/node-red/sensitive";
import { DigestBadge } from "./digest-badge";
import { writeItem } from "./digest-item";
import { DigestKeeper } from "./digest-keeper";
import { digestMessage, isDigest } from "./digest-message";
import { type DigestConfig, type DigestSettings, readDigestSettings } from "./digest-settings";
import { hideTexts, textsOf } from "./sensitive-items";

type Message = NodeMessage & { digest?: unknown };

interface Configured {
  readonly settings: DigestSettings;
  readonly reader: FieldReader;
  readonly zone: string;
  readonly keeper: DigestKeeper;
}

/** What `msg.digest` may say. */
const FOR_ALL_KEYS = DIGEST_ORDERS.map((order) => `${order}${FOR_ALL}`);
const WORDS = [...DIGEST_ORDERS, ...FOR_ALL_KEYS].join(", ");

/** Properties that a warning names. */
const NAMED = 5;

/** Runs one message-digest node: gathers messages, and sends one in their place. */
export class DigestNode {
  readonly #identity: string;
  readonly #lifecycle: FlowLifecycle;
  readonly #badge: DigestBadge;
  #configured: Configured | null = null;
  /** What the log says of the store or the account; blank where they work. */
  #told = "";
  /** Paths of the texts that were said to have no value. */
  readonly #missing = new Set<string>();
  #toldTextless = false;
  #toldLeftOut = false;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    private readonly config: DigestConfig,
  ) {
    this.#identity = getIdentity(node);
    this.#lifecycle = FlowLifecycle.of(RED);
    const frame = new MessageNode(node);
    this.#badge = new DigestBadge(
      (status) => frame.show(status),
      () => this.#configured?.zone ?? systemZone(),
      config.keySource !== "blank",
    );
    this.#configured = frame.begin<Configured>({
      configure: () => this.#configure(),
      answer: (msg, _send, configured) => this.#answer(msg, configured),
      failed: (error) => this.#badge.fault(error),
    });
    const configured = this.#configured;
    if (configured !== null) {
      this.#badge.fault(null);
      node.on("close", (removed: boolean, done: () => void) => {
        const answered = frame.answered();
        void answered.then(() => removed && this.#tellOfRest());
        void configured.keeper.close(answered).finally(done);
      });
    }
  }

  /** @throws SetupError, FieldError */
  #configure(): Configured {
    const { RED, node, config } = this;
    const settings = readDigestSettings(config);
    const reader = new FieldReader(RED, node, DIGEST_FIELDS, config);
    const account = Account.of(config.account ? RED.nodes.getNode(config.account) : null);
    const { zone } = account;
    const keeper = new DigestKeeper(account, this.#identity, this.#lifecycle, {
      emit: (emission) => this.#emit(emission, settings, zone),
      counted: (counts) => this.#badge.counted(counts),
      trouble: (error) => this.#troubled(error),
    });
    return { settings, reader, zone, keeper };
  }

  /** @throws SetupError, FieldError, StoreError: then it was not gathered */
  async #answer(msg: Message, configured: Configured): Promise<void> {
    if (msg.digest == null || isDigest(msg.digest)) {
      await this.#gather(msg, configured);
    } else {
      await this.#order(msg, configured);
    }
    this.#badge.fault(null);
  }

  async #gather(msg: Message, { settings, reader, keeper }: Configured): Promise<void> {
    const { key: given = "" } = await reader.read(msg);
    const sensitive = isSensitive(msg);
    const key = keyOf(given, sensitive);
    const { opened } = await keeper.place();
    const limit = opened.settings.snapshotLimit;
    const { wait, every, quiet, most } = settings;
    const written = writeItem(msg, Date.now(), limit);
    this.#tellOfLeftOut(written.leftOut, limit);
    const { item, message } = sensitive ? hideTexts(written) : written;
    await keeper.add({ key, item, message, sensitive, wait, every, quiet, most });
  }

  #tellOfLeftOut(leftOut: readonly string[], limit: number): void {
    if (leftOut.length > 0 && !this.#toldLeftOut) {
      this.#toldLeftOut = true;
      const named = leftOut.slice(0, NAMED).map((name) => `msg.${sanitiseName(name)}`);
      const paths = `${named.join(", ")}${leftOut.length > NAMED ? ", …" : ""}`;
      this.node.warn(say("digest.left-out", { kib: Math.round(limit / 1024), paths }));
    }
  }

  async #order(msg: Message, { reader, keeper }: Configured): Promise<void> {
    const { digest } = msg;
    const order = DIGEST_ORDERS.find((each) => digest === each || digest === `${each}${FOR_ALL}`);
    if (order === undefined) {
      const problem = isSensitive(msg)
        ? say("digest.order-hidden", { words: WORDS })
        : say("digest.order", { value: quoteValue(digest), words: WORDS });
      throw new FieldError("FIELD_INVALID", "digest", problem, { label: "msg.digest" });
    }
    const key = digest === order && reader.reads("key") ? await this.#keyOfOrder(msg, reader) : null;
    await keeper.order(key, order);
  }

  async #keyOfOrder(msg: Message, reader: FieldReader): Promise<string> {
    try {
      const { key = "" } = await reader.read(msg);
      return keyOf(key, isSensitive(msg));
    } catch (error) {
      // A mistyped property must not be an order for everything.
      throw error instanceof FieldError && error.code === "FIELD_UNRESOLVED"
        ? new FieldError(
            "FIELD_UNRESOLVED",
            "key",
            say("digest.order-key", { words: FOR_ALL_KEYS.join(", ") }),
          )
        : error;
    }
  }

  #emit(emission: Emission, settings: DigestSettings, zone: string): void {
    const texts = textsOf(emission);
    const made = digestMessage(emission, texts, settings, zone);
    const unsaid = made.missing.filter((path) => !this.#missing.has(path));
    if (unsaid.length > 0) {
      for (const path of unsaid) {
        this.#missing.add(path);
      }
      this.node.warn(say("digest.missing", { paths: unsaid.join(", ") }));
    }
    if (made.lacksTexts && !this.#toldTextless) {
      this.#toldTextless = true;
      this.node.warn(say("digest.text-not-stored"));
    }
    this.#badge.left(made.lacksTexts);
    this.node.send(emission.kind === "ended" ? [null, made.msg] : [made.msg, null]);
  }

  #troubled(error: Error | null): void {
    const { message = "" } = error ?? {};
    if (message !== "" && message !== this.#told) {
      this.node.warn(say("digest.trouble", { reason: message }));
    }
    this.#told = message;
    this.#badge.trouble(error);
  }

  /** What is lost if the node does not come back. */
  #tellOfRest(): void {
    const n = this.#badge.gathered;
    if (n > 0) {
      this.node.warn(say("digest.removed", { n }));
    }
  }
}

/** @param hidden whether no error may quote it @throws FieldError FIELD_INVALID */
function keyOf(value: unknown, hidden: boolean): string {
  const text = typeof value === "boolean" ? String(value) : value;
  if (typeof text !== "string" || text.length > LONGEST_KEY) {
    const problem = hidden
      ? say("digest.key-hidden", { most: LONGEST_KEY })
      : say("digest.key", { most: LONGEST_KEY, value: quoteValue(value) });
    throw new FieldError("FIELD_INVALID", "key", problem);
  }
  const problem = findIdProblem(text);
  if (problem !== null) {
    throw new FieldError("FIELD_INVALID", "key", problem);
  }
  return text.trim();
}
