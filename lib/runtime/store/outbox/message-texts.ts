import type { PreparedRequest } from "../../../gateway/codec/prepare-request";
import { localVerdict, type Verdict } from "../../../gateway/codec/verdict";
import type { DispatcherHandle } from "../../../gateway/queue/queue-handle";
import type { RequestContents } from "../../../gateway/queue/stored/stored-messages";
import { readContent } from "../../../gateway/queue/stored-content";
import type { ClaimedRequest } from "../../../store/jobs/request-claims";
import type { OpenMessages } from "./stored-message";

/** Contents of sensitive messages exist only in this process. */
export class MessageTexts implements RequestContents {
  constructor(private readonly messages: OpenMessages) {}

  /** @throws FieldError, SetupError */
  prepare(request: ClaimedRequest, dispatcher: DispatcherHandle): PreparedRequest | Verdict {
    const checked = request.part === 0 ? this.messages.get(request.job)?.checked : null;
    if (checked && checked.recipients === request.recipients.length) {
      return checked.request;
    }
    const content = this.#contentOf(request);
    if (content === null) {
      return localVerdict("TEXT_NOT_STORED");
    }
    const read = readContent({ ...request, content });
    return "outcome" in read ? read : dispatcher.prepare(read);
  }

  isTest({ job, content }: ClaimedRequest): boolean {
    // Quotes within a JSON text are escaped, so the search finds only the property.
    return this.messages.get(job)?.test ?? content?.includes('"test":true') ?? false;
  }

  #contentOf({ content, job, part }: ClaimedRequest): string | null {
    return content ?? this.messages.get(job)?.contents?.get(part) ?? null;
  }
}
