import type { NodeAPI } from "node-red";
import { z, type ZodType } from "zod";
import {
  QUEUE_ACTIONS,
  READ_HISTORY,
  READ_QUEUE,
  STRANDED_ACTIONS,
  WRITE_QUEUE,
} from "../../shared/history/history";
import { viewInstances } from "../store/history/instances-view";
import { jobJson } from "../store/history/job-json";
import { cancelQueue, changeJob, decideStranded } from "../store/history/queue-actions";
import { viewQueue } from "../store/history/queue-view";
import { serveEditorFile } from "./editor-request";
import { serveStore, withStore } from "./store-request";

const PATH = "/messaging-account/:id/queue";

const job = z.int().min(1);
const page = z.strictObject({ after: z.int().min(0) });
const nothing = z.strictObject({});
const wholeOrJob = z.strictObject({ job: job.optional() });
const oneJob = z.strictObject({ job });

/** Reading takes only permission to read flows because the queue contains no number and no text. */
export function serveQueue(RED: NodeAPI): void {
  serveStore(RED, `${PATH}/look`, READ_QUEUE, page, (store, { after }, { nodes }) =>
    viewQueue(store, nodes.identities, after),
  );
  serveStore(RED, `${PATH}/instances`, READ_HISTORY, nothing, viewInstances);
  for (const action of QUEUE_ACTIONS) {
    const schema: ZodType<{ readonly job?: number | undefined }> = action === "cancel" ? wholeOrJob : oneJob;
    serveStore(RED, `${PATH}/${action}`, WRITE_QUEUE, schema, (store, { job: which }, account) =>
      which === undefined ? cancelQueue(store) : changeJob(store, account.nodes.identities, action, which),
    );
  }
  for (const action of STRANDED_ACTIONS) {
    serveStore(RED, `${PATH}/${action}`, WRITE_QUEUE, oneJob, async (store, { job: which }, account) => {
      const change = await decideStranded(store, account.nodes.identities, action, which);
      if (action === "send") {
        await account.sending.sendStored();
      }
      return change;
    });
  }
  serveEditorFile(RED, `${PATH}/save`, [READ_HISTORY, WRITE_QUEUE], oneJob, (id, { job: which }) =>
    withStore(RED, id, async (store) => ({
      type: "application/json; charset=utf-8",
      chunks: await jobJson(store, which),
    })),
  );
}
