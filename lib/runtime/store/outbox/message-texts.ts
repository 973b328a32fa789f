import type { PreparedRequest } from "../../../gateway/codec/prepare-request";
import { localVerdict, type Verdict } from "../../../gateway/codec/verdict";
import type { DispatcherHandle } from "../../../gateway/queue/queue-handle";
import type { RequestContents } from "../../../gateway/queue/stored/stored-messages";
import { readContent } from "../../../gateway/queue/stored-content";
import type { StoredJob } from "../../../store/jobs/recovery";
import type { ClaimedRequest } from "../../../store/jobs/request-claims";
import { isSealed } from "../../../store/schema/sealed-text";
import { openContent, openSnapshot } from "./sealed-message";
import type { StoreTrouble } from "./store-trouble";
import { say } from "../../../texts/say";
import type { OpenMessages } from "./stored-message";
import type { TextKey } from "./text-key";

/** Reads what the store has of messages, also of those whose texts are encrypted. */
export class MessageTexts implements RequestContents {
  #saidUnreadable = false;

  constructor(
    private readonly messages: OpenMessages,
    private readonly key: TextKey,
    private readonly trouble: StoreTrouble,
    /** Tells people something. */
    private readonly warn: (text: string) => void,
  ) {}

  /** Gets the key before it is needed, so that no message waits for it. A failure shows where it is needed. Never rejects. */
  async loadKey(): Promise<void> {
    await this.key.get().catch(() => {});
  }

  /** Gets the key where a request is encrypted and the key is not known yet. */
  ready(requests: readonly ClaimedRequest[]): Promise<void> | null {
    return this.key.known === null && requests.some(({ content }) => isSealed(content))
      ? this.key.get().then(
          () => this.trouble.stand(null),
          () => {},
        )
      : null;
  }

  open(request: ClaimedRequest): ClaimedRequest {
    const { content, jobKey, part } = request;
    if (!isSealed(content)) {
      return request;
    }
    const key = this.key.known;
    const opened = key === null ? null : openContent(key, jobKey, part, content);
    return { ...request, content: opened ?? content, sensitive: true };
  }

  /** @throws FieldError, SetupError, StoreError */
  prepare(request: ClaimedRequest, dispatcher: DispatcherHandle): PreparedRequest | Verdict {
    const checked = request.part === 0 ? this.messages.get(request.jobKey)?.checked : null;
    if (checked && checked.recipients === request.recipients.length) {
      return checked.request;
    }
    if (isSealed(request.content)) {
      return this.#unreadable();
    }
    const content = readContent(request);
    return "outcome" in content ? content : dispatcher.prepare(content);
  }

  isTest({ jobKey, content }: ClaimedRequest): boolean {
    // Within a text of JSON the quotes would be escaped.
    return this.messages.get(jobKey)?.test ?? content.includes('"test":true');
  }

  /** @throws SetupError, StoreError where the key may be there the next time */
  #unreadable(): Verdict {
    const { known, error } = this.key;
    if (known === null && error !== null) {
      this.trouble.stand(error);
      throw error;
    }
    return localVerdict("TEXT_UNREADABLE");
  }

  /** The job with its snapshot decrypted. Results do not wait for a key: they leave without the message of the flow. Never rejects. */
  async openJob(job: StoredJob): Promise<StoredJob> {
    const { key: jobKey, snapshot } = job;
    if (snapshot === null || !isSealed(snapshot)) {
      return job;
    }
    const key = await this.key.get().catch(() => null);
    const { text, whole } = openSnapshot(key, jobKey, snapshot);
    if (!whole && !this.#saidUnreadable) {
      this.#saidUnreadable = true;
      this.warn(say("send.snapshot.unreadable"));
    }
    return { ...job, snapshot: text };
  }
}
