import type { Node, NodeAPI } from "node-red";
import { SetupError } from "../../shared/messaging-error";
import { quoteValue } from "../../shared/quote-value";
import { Account, type AccountAccess } from "../account/account";
import type { FieldConfig } from "../fields/compile-field";
import { FieldReader } from "../fields/field-reader";
import type { ChannelDefinition } from "../channels/channel-definition";

/** Configuration that every send node has besides its fields. */
export interface SendConfig extends FieldConfig {
  readonly account?: string;
  readonly outputs?: number;
  readonly resultProperty?: string;
}

/** What a node has found of its configuration. */
interface Found {
  readonly reader: FieldReader;
  readonly account: Account;
}

/** The same, let in by the account. */
export interface Ready extends Found {
  readonly access: AccountAccess;
}

/** What a send node needs before its first message: its fields, made ready to be read, and an account that lets it in. */
export class SendSetup {
  /** Found at the start, the account too: a closing node can no longer look it up. */
  readonly #found: Found | Error;
  #access: Promise<AccountAccess> | null = null;
  #opened: Ready | null = null;

  constructor(RED: NodeAPI, node: Node, config: SendConfig, channel: ChannelDefinition) {
    try {
      if (channel.messageKinds?.includes(String(config.kind)) === false) {
        throw new SetupError(
          "BAD_SETTING",
          `The node is set to the kind ${quoteValue(config.kind)}, but must be set to ${channel.messageKinds.join(", ")}. Open it and choose one.`,
        );
      }
      channel.check?.(config);
      const reader = new FieldReader(RED, node, channel.fields, config);
      this.#found = {
        reader,
        account: Account.of(config.account ? RED.nodes.getNode(config.account) : null),
      };
    } catch (error) {
      this.#found = error as Error;
    }
  }

  get simulated(): boolean {
    return !(this.#found instanceof Error) && this.#found.account.simulated;
  }

  /** Set up and let in: from then on a message need not wait for either. Null before. */
  get opened(): Ready | null {
    return this.#opened;
  }

  /** Lets a message in as soon as it can be. @throws SetupError, FieldError for what cannot work */
  async ready(): Promise<Ready> {
    if (this.#found instanceof Error) {
      throw this.#found;
    }
    this.#access ??= this.#found.account.access();
    try {
      this.#opened = { ...this.#found, access: await this.#access };
      return this.#opened;
    } catch (error) {
      this.#access = null;
      throw error;
    }
  }

  /** Starts nothing more. What has left goes on. */
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

  /** The same, and ends what is under way within `grace` ms, as its queue does. */
  async close(grace: number): Promise<void> {
    const access = await this.#access?.catch(() => null);
    await access?.queue.close(grace);
  }
}
