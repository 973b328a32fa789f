import { LOCAL_FAULTS } from "../../gateway/contract/local-outcomes";
import { OPERATIONS, type OperationId } from "../../gateway/contract/operations";
import type { StoredJob } from "../../store/jobs/recovery";
import { recipientsAsGiven } from "../../shared/recipients/unreadable-number";
import { NO_RULES } from "../../store/guards/request-rules";
import type { CheckedRequest, PartResult, ResultNode, StoredMessage } from "../store/outbox/stored-message";
import type { JobOutput } from "./jobs/job-output";
import type { Done } from "./message-end";
import type { Part } from "./parts/message-parts";
import type { SendContext } from "./send-context";
import { say } from "../../texts/say";
import { readSnapshot } from "./snapshot";
import { countRecipients } from "./badge/count-recipients";

export class OpenMessage implements StoredMessage {
  checked: CheckedRequest | null = null;
  isWriting = false;
  late = 0;
  divided = false;
  /** Recipients that the badge counts as under way. */
  people = 0;
  error: Error | null = null;
  id = 0;

  /** @param owner the node that counts the requests; null, as `done`, for a restored message */
  constructor(
    readonly account: string,
    readonly node: string,
    readonly job: JobOutput,
    readonly owner: StoredResults | null,
    readonly done: Done | null,
    public open: number,
    readonly contents: Map<number, string> | null,
    readonly invalid: readonly string[],
  ) {}

  get parts(): number {
    return this.job.stamp?.count ?? 1;
  }

  get test(): boolean {
    return this.job.test;
  }
}

export class StoredResults implements ResultNode {
  #toldTextless = false;

  constructor(private readonly context: SendContext) {}

  emit(message: StoredMessage, result: PartResult): void {
    const { part: index, clientMessageId, recipients, verdict, restored, answeredAt } = result;
    const kept = message as OpenMessage;
    const { job, owner, invalid } = kept;
    const isInvalid = invalid.length > 0 && index === kept.parts - 1;
    const isHeld = verdict.fault !== null && LOCAL_FAULTS[verdict.fault].blocked;
    const part: Part = {
      index,
      recipients: isInvalid ? invalid : recipientsAsGiven(recipients),
      fault: isInvalid || isHeld ? verdict : null,
      invalid: isInvalid,
      rules: NO_RULES,
      ...(result.operation in OPERATIONS && { operation: result.operation as OperationId }),
      ...((index >= kept.parts || job.again) && { late: { clientMessageId } }),
      ...(kept.divided && { divided: true }),
    };
    const mine = owner === this;
    const people = countRecipients(part);
    if (mine) {
      kept.people -= people;
    } else {
      this.context.badge.resume(people);
    }
    try {
      const send = mine ? job.send : this.#send;
      kept.error =
        this.context.emitter.deliver(job, part, verdict, send, { restored, answeredAt }) ?? kept.error;
    } catch (error) {
      this.context.badge.trouble(error);
      kept.error = error as Error;
    }
    if (kept.open <= 0) {
      this.#end(kept, mine);
    }
  }

  readonly #send: JobOutput["send"] = (messages) => this.context.node.send(messages);

  #end({ error, done, job }: OpenMessage, mine: boolean): void {
    if (mine) {
      done?.(error ?? undefined);
      return;
    }
    if (error !== null) {
      // The node that accepted the message is gone, so this one raises the error.
      this.context.node.error(
        error,
        job.message({ index: 0, recipients: [], fault: null, invalid: false, rules: NO_RULES }, null),
      );
    }
    done?.();
  }

  restore({ id, account, node, open, requests, snapshot }: StoredJob): OpenMessage {
    const { output, invalid, sensitive } = readSnapshot(this.context.RED, snapshot, this.#send);
    if (sensitive && !this.#toldTextless) {
      this.#toldTextless = true;
      this.context.node.warn(say("send.snapshot.not-stored"));
    }
    const message = new OpenMessage(account, node, output, null, null, open, null, invalid);
    message.id = id;
    message.divided = requests > message.parts;
    return message;
  }

  regroup(message: StoredMessage, count: number): void {
    (message as OpenMessage).job.stamp?.regroup(this.context.RED.util.generateId(), count);
  }

  trouble(error: Error | null): void {
    this.context.badge.storeTrouble(error);
  }

  handOver(message: StoredMessage): void {
    const kept = message as OpenMessage;
    if (kept.owner === this) {
      this.context.badge.resume(-kept.people);
      kept.people = 0;
      kept.open = 0;
    }
    kept.done?.();
  }
}
