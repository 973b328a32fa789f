import { recipientsAsGiven } from "../../../shared/recipients/unreadable-number";
import type { UnsentRequest } from "../../../store/jobs/queue-control";
import { Gone } from "./history-view";
import { instantOf } from "./message-record";
import type { AccountStore } from "../open-store";

const PAGE = 100;

/** A text that is no JSON stays a text. */
function parsed(text: string | null): unknown {
  try {
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}

function readMessage(snapshot: string | null): { readonly message: unknown; readonly sensitive?: true } {
  const kept = parsed(snapshot) as { readonly msg?: unknown; readonly sensitive?: true } | null;
  return { message: kept?.msg ?? null, ...(kept?.sensitive && { sensitive: true }) };
}

const toRequest = ({ operation, clientMessageId, content, recipients }: UnsentRequest): string =>
  JSON.stringify({
    operation,
    clientMessageId,
    recipients: recipientsAsGiven(recipients),
    fields: parsed(content),
  });

/** Streams a job with its unsent requests, page by page, without the texts of a sensitive message. @throws StoreError, Gone */
export async function jobJson({ store, account }: AccountStore, id: number): Promise<AsyncIterable<string>> {
  const [[open], job] = await Promise.all([
    store.recovery.openJobs(account, {}, id - 1, 1),
    store.recovery.job(id),
  ]);
  if (open?.id !== id || job === null) {
    throw new Gone();
  }
  const head = {
    node: job.node,
    channel: job.channel,
    takenAt: instantOf(open.takenAt),
    ...readMessage(job.snapshot),
  };
  return (async function* () {
    yield `${JSON.stringify(head).slice(0, -1)},"requests":[`;
    let after = -1;
    for (;;) {
      const page = await store.queue.unsent(id, account, after, PAGE);
      const text = page.map((request) => `\n${toRequest(request)}`).join(",");
      yield after >= 0 && text !== "" ? `,${text}` : text;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) {
        break;
      }
      after = last.part;
    }
    yield "\n]}\n";
  })();
}
