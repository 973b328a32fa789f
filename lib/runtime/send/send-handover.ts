import type { NodeMessage } from "node-red";
import type { Verdict } from "../../gateway/codec/verdict";
import { CLOSE_GRACE } from "../account/account";
import { say } from "../../texts/say";
import { atExit } from "../node-red/at-exit";
import { FlowLifecycle } from "../node-red/flow-lifecycle";
import { RedeployHandover } from "../node-red/redeploy-handover";
import type { SendJob } from "./jobs/send-job";
import { complete, type Done, type MessageEnd, RAISED, type Send } from "./message-end";
import type { Part } from "./parts/message-parts";
import type { SendContext } from "./send-context";
import { countRecipients } from "./badge/count-recipients";

interface MessageSteps {
  /** Accepts a message like one from a wire. */
  readonly accept: (msg: NodeMessage, send: Send, done: Done) => void;
  readonly run: (msg: NodeMessage, send: Send, done: Done) => Promise<void>;
  readonly stopUnread: () => void;
}

/** Node-RED delivers messages in the next tick and drops those for closed nodes. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Closes a send node: a stop waits for responses, a deploy hands unsent messages and results to the successor. */
export class SendHandover {
  /** Set at the start of a deploy; resolves with null without a successor. */
  #successor: Promise<SendHandover | null> | null = null;
  #background: Promise<void> = Promise.resolve();
  /** Closed nodes of earlier deploys that emit their results here. */
  readonly #previous = new Set<SendHandover>();

  constructor(
    private readonly context: SendContext,
    private readonly steps: MessageSteps,
  ) {
    if (context.keeps) {
      RedeployHandover.of(context.RED).arrive(context.node, this);
    }
  }

  /** True if the node closes in a deploy and may have a successor. */
  get handsOver(): boolean {
    return this.#successor !== null;
  }

  /** Resolves when Node-RED may continue. */
  async close(): Promise<void> {
    const { RED, keeps } = this.context;
    if (keeps && FlowLifecycle.of(RED).deploying) {
      await this.#handOver();
      return;
    }
    const { emitter, badge } = this.context;
    emitter.beginClosing("stopped");
    this.steps.stopUnread();
    await this.#abort();
    // Messages in transit arrive before the node counts as idle.
    await nextTurn();
    await this.#whenIdle();
    emitter.reportClosing();
    badge.close();
  }

  /** Waits up to `CLOSE_GRACE` for responses, also of previous nodes. */
  async #abort(): Promise<void> {
    const previous = [...this.#previous].map((each) => each.#abort());
    await Promise.all([this.context.setup.close(CLOSE_GRACE), ...previous]);
  }

  async #whenIdle(): Promise<void> {
    await this.context.active.idle();
    await Promise.all([...this.#previous].map((each) => each.#background));
  }

  async #handOver(): Promise<void> {
    const { setup, emitter, badge } = this.context;
    let settle = (_successor: SendHandover | null): void => {};
    this.#successor = new Promise((resolve) => {
      settle = resolve;
    });
    badge.close();
    // Node-RED does not wait for a deploy when the process ends.
    const forget = atExit(() => this.#reportExit());
    RedeployHandover.of(this.context.RED).begin(this.context.node, (heir) => {
      const successor = heir instanceof SendHandover ? heir : null;
      if (successor === null) {
        this.#endWithoutSuccessor();
      } else {
        forget();
        successor.#adopt(this);
      }
      settle(successor);
    });
    setup.stop();
    const { onTheWire } = emitter;
    // Results in transit arrive in this tick or never.
    await nextTurn();
    emitter.reportUndelivered(onTheWire);
    this.#background = this.#endInBackground().finally(forget);
  }

  #reportExit(): void {
    const { count } = this.context.active;
    if (count > 0) {
      this.context.node.error(say("send.closing.exit", { n: count }));
    }
  }

  #adopt(previous: SendHandover): void {
    this.#previous.add(previous);
    void previous.#background.finally(() => this.#previous.delete(previous));
  }

  async #endInBackground(): Promise<void> {
    await this.#whenIdle();
    await this.context.setup.close(0);
    this.context.emitter.reportClosing();
  }

  #endWithoutSuccessor(): void {
    const lifecycle = FlowLifecycle.of(this.context.RED);
    this.#successor = null;
    this.context.emitter.beginClosing(lifecycle.running ? "removed" : "stopped");
    const unwatch = lifecycle.onStopping(() => {
      if (!lifecycle.deploying) {
        // No node waits for these responses: open messages become unknown and are logged before the process ends.
        void this.context.setup.close(0);
      }
    });
    void this.#background.finally(unwatch);
  }

  /** Hands an unsent message to the successor; without one, the message runs here. */
  async handOn(msg: NodeMessage, send: Send, done: Done): Promise<void> {
    const successor = await this.#successor;
    if (successor === null) {
      await this.steps.run(msg, send, done);
    } else {
      complete(done, await successor.#accept(msg, send));
      this.context.active.end();
    }
  }

  async #accept(msg: NodeMessage, from: Send): Promise<MessageEnd> {
    // Messages are not read before the account is open: these can be many.
    await this.context.setup.ready().catch(() => {});
    return new Promise((resolve) => {
      const done = (error?: Error): void => {
        if (error) {
          this.context.node.error(error, msg);
        }
        resolve(error ? RAISED : null);
      };
      const send = (messages: (NodeMessage | null)[]): void => this.context.node.send(messages);
      const raised = (): void => resolve(RAISED);
      this.steps.accept(msg, Object.assign(send, from), Object.assign(done, { raised }));
    });
  }

  /** During a handover, the successor delivers the result, or sends a part that was not sent. */
  async deliver(job: SendJob, part: Part, verdict: Verdict): Promise<MessageEnd> {
    const successor = await this.#successor;
    if (successor === null) {
      return this.context.emitter.deliver(job, part, verdict);
    }
    return verdict.stopped === "unsent"
      ? successor.#accept(job.msg, job.send)
      : successor.#emit(job, part, verdict);
  }

  async #emit(job: SendJob, part: Part, verdict: Verdict): Promise<MessageEnd> {
    const successor = await this.#successor;
    if (successor !== null) {
      return successor.#emit(job, part, verdict);
    }
    const { badge, node, emitter } = this.context;
    badge.resume(countRecipients(part));
    const error = emitter.deliver(job, part, verdict, (messages) => node.send(messages));
    if (error === null) {
      return null;
    }
    node.error(error, job.msg);
    return RAISED;
  }
}
