import type { NodeAPI } from "node-red";
import { z } from "zod";
import {
  type LeftBehindView,
  QUEUE_ACTIONS,
  READ_HISTORY,
  READ_QUEUE,
  STRANDED_ACTIONS,
  WRITE_QUEUE,
} from "../../shared/history";
import { viewInstances } from "../store/history/instances-view";
import { jobJson } from "../store/history/job-json";
import { cancelQueue, changeJob, decideStranded } from "../store/history/queue-actions";
import { viewQueue } from "../store/history/queue-view";
import { serveEditor, serveEditorFile } from "./editor-request";
import { withAccount, withStore } from "./store-request";

const PATH = "/messaging-account/:id/queue";

const job = z.int().min(1);
const page = z.strictObject({ after: z.int().min(0) });
const nothing = z.strictObject({});
const wholeOrJob = z.strictObject({ job: job.optional() });
const oneJob = z.strictObject({ job });

/**
 * Serves the queue to the sidebar. Looking at it takes permission to read flows, for it holds no number and no text; changing it,
 * handing out a job with numbers and texts, and seeing the computers that share it, take permissions of their own.
 */
export function serveQueue(RED: NodeAPI): void {
  serveEditor(
    RED,
    `${PATH}/look`,
    page,
    (id, { after }) => withStore(RED, id, (store, { sendNodes }) => viewQueue(store, sendNodes, after)),
    READ_QUEUE,
  );
  serveEditor(RED, `${PATH}/instances`, nothing, (id) => withStore(RED, id, viewInstances), READ_HISTORY);
  serveFormer(RED);
  for (const action of QUEUE_ACTIONS) {
    serveEditor(
      RED,
      `${PATH}/${action}`,
      action === "cancel" ? wholeOrJob : oneJob,
      (id, { job: which }: { readonly job?: number | undefined }) =>
        withStore(RED, id, (store, { sendNodes, simulated }) =>
          which === undefined
            ? cancelQueue(store, simulated)
            : changeJob(store, sendNodes, action, which, simulated),
        ),
      WRITE_QUEUE,
    );
  }
  for (const action of STRANDED_ACTIONS) {
    serveEditor(
      RED,
      `${PATH}/${action}`,
      oneJob,
      (id, { job: which }) =>
        withStore(RED, id, async (store, account) => {
          const { sendNodes, simulated } = account;
          const change = await decideStranded(store, sendNodes, action, which, simulated);
          if (action === "send") {
            await account.sendStored();
          }
          return change;
        }),
      WRITE_QUEUE,
    );
  }
  serveEditorFile(
    RED,
    `${PATH}/save`,
    oneJob,
    (id, { job: which }) =>
      withStore(RED, id, async (store) => ({
        type: "application/json; charset=utf-8",
        chunks: await jobJson(store, which),
      })),
    [READ_HISTORY, WRITE_QUEUE],
  );
}

/** Readers learn that something waits, and not where this computer or network keeps it. */
const withoutPlaces = ({ places, ...view }: LeftBehindView): LeftBehindView => ({
  ...view,
  places: places.map((each) => ({ ...each, place: null })),
});

/** Serves what waits where an account kept its messages before. */
function serveFormer(RED: NodeAPI): void {
  serveEditor(
    RED,
    `${PATH}/former`,
    nothing,
    (id) => withAccount(RED, id, async ({ leftBehind }) => withoutPlaces(await leftBehind.look())),
    READ_QUEUE,
  );
  serveEditor(
    RED,
    `${PATH}/former-places`,
    nothing,
    (id) => withAccount(RED, id, ({ leftBehind }) => leftBehind.look()),
    WRITE_QUEUE,
  );
  serveEditor(
    RED,
    `${PATH}/move`,
    nothing,
    (id) => withStore(RED, id, async (_, account) => ({ requests: await account.moveHere() })),
    WRITE_QUEUE,
  );
}
