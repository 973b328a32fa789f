import type { Node, NodeAPI } from "node-red";
import { RULE_FIELDS } from "../../shared/fields/rule-fields";
import { FieldError, type NameOf } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";
import { fieldNames } from "../../texts/field-names";
import { say } from "../../texts/say";
import { Account } from "../account/account";
import type { AccountAccess } from "../account/account-sending";
import type { FieldConfig } from "../fields/compile-field";
import { FieldReader } from "../fields/field-reader";
import { personalSources } from "../fields/personal-field";
import { DeliveryRules } from "../guards/delivery-rules";
import { getIdentity } from "../node-red/node-identity";
import { readChoice } from "../node-red/read-settings";
import type { ChannelDefinition } from "../channels/channel-definition";
import type { OutboxSession } from "../store/outbox/outbox-session";

export interface SendConfig extends FieldConfig {
  readonly account: string;
  readonly outputs: number;
  readonly resultProperty: string;
}

interface Configured {
  readonly reader: FieldReader;
  readonly rules: DeliveryRules;
  readonly account: Account;
  /** Property of a row with the number; blank to find it by its name. */
  readonly rowNumber: string;
}

export interface Ready extends Configured {
  readonly access: AccountAccess;
  /** Null for files and tests, which are not stored. */
  readonly outbox: OutboxSession | null;
}

/** A test is sent at any hour, because a user waits for it. */
const forTest = (access: AccountAccess): AccountAccess => ({ ...access, hours: null });

export class SendSetup {
  /** Read at the start, because a closing node can no longer look up its account. */
  readonly #configured: Configured | Error;
  #access: Promise<AccountAccess> | null = null;
  #opened: Ready | null = null;
  readonly #leave: () => void;
  readonly names: NameOf;
  /** Property of a row with the name; blank to find it by its name. */
  readonly rowName: string;

  constructor(
    RED: NodeAPI,
    node: Node,
    config: SendConfig,
    private readonly channel: ChannelDefinition,
    private readonly keeps: boolean,
    onNumberCell: (path: string) => void,
  ) {
    const accountNode = config.account ? RED.nodes.getNode(config.account) : null;
    this.#leave = Account.find(accountNode)?.nodes.join(getIdentity(node), node) ?? (() => {});
    this.rowName = String(config.rowName).trim();
    this.names = fieldNames(channel.labels, channel.fields, config);
    try {
      const { messageKinds } = channel;
      if (messageKinds !== undefined) {
        readChoice(messageKinds, String(config.kind), () =>
          say("send.message-kind", { kind: quoteValue(config.kind), kinds: messageKinds.join(", ") }),
        );
      }
      channel.check?.(config);
      const fields = channel.recipients === null ? channel.fields : [...channel.fields, ...RULE_FIELDS];
      const list = channel.fields.find(({ name }) => name === channel.recipients);
      const personal = personalSources(config, list, onNumberCell);
      const reader = new FieldReader(RED, node, fields, config, false, personal);
      this.#configured = {
        reader,
        rules: new DeliveryRules(channel, config, reader),
        account: Account.of(accountNode),
        rowNumber: String(config.rowNumber),
      };
    } catch (error) {
      this.#configured = error instanceof FieldError ? error.named(this.names) : (error as Error);
    }
  }

  get account(): Account | null {
    return this.#configured instanceof Error ? null : this.#configured.account;
  }

  get simulated(): boolean {
    return this.account?.simulated ?? false;
  }

  /** Path without `msg.`; null for other sources and for a setup error. */
  get recipientsPath(): string | null {
    const { recipients } = this.channel;
    return this.#configured instanceof Error || recipients === null
      ? null
      : this.#configured.reader.messageProperty(recipients);
  }

  /** Null until `ready` has resolved. Avoids a promise for each message. */
  get opened(): Ready | null {
    return this.#opened;
  }

  /** @throws SetupError, FieldError */
  async ready(): Promise<Ready> {
    if (this.#configured instanceof Error) {
      throw this.#configured;
    }
    this.#access ??= this.#configured.account.access();
    try {
      const opened = await this.#access;
      const access = this.keeps ? opened : forTest(opened);
      const outbox = this.keeps && this.channel.recipients !== null ? access.outbox : null;
      this.#opened = { ...this.#configured, access, outbox };
      return this.#opened;
    } catch (error) {
      this.#access = null;
      throw error;
    }
  }

  leave(): void {
    this.#leave();
  }

  /** Starts no further requests. Requests under way continue. */
  stop(): void {
    if (this.#opened !== null) {
      this.#opened.access.queue.stop();
    } else {
      this.#access?.then(
        ({ queue }) => queue.stop(),
        () => {},
      );
    }
  }

  /** @param grace ms to wait for requests under way */
  async close(grace: number): Promise<void> {
    const access = await this.#access?.catch(() => null);
    await access?.queue.close(grace);
  }
}
