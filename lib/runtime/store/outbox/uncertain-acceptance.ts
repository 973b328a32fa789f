import { StoreError } from "../../../store/engine/store-error";
import type { NewJob, NewRequest } from "../../../store/jobs/jobs";
import type { AccountStore } from "../open-store";

export interface Doubt {
  readonly isClosed: () => boolean;
  readonly failed: (error: unknown) => void;
}

const RETRY = 1_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Removes `uncertain` from an error. */
const certainly = (error: unknown): unknown =>
  error instanceof StoreError && error.uncertain ? new StoreError(error.code, error.place, "", false) : error;

/** Resolves if the message is stored. @throws StoreError if it is not; `uncertain` only after a close */
export async function findAccepted(
  { store }: AccountStore,
  id: number,
  error: unknown,
  { isClosed, failed }: Doubt,
): Promise<void> {
  if (!(error instanceof StoreError) || !error.uncertain) {
    throw error;
  }
  // A full disk can be read, so the check works there too.
  for (;;) {
    const known = await store.jobs.known([id]).catch(() => null);
    // Called after the read, because a failing write fails the reads of the same tick.
    failed(error);
    if (known !== null) {
      if (known.has(id)) {
        return;
      }
      throw certainly(error);
    }
    if (isClosed()) {
      throw error;
    }
    await pause(RETRY * (0.5 + Math.random()));
  }
}

/** @param onComplete called before the first request may be sent @throws StoreError as `findAccepted` */
export async function storePages(
  { store }: AccountStore,
  job: NewJob,
  pages: Iterable<readonly NewRequest[]>,
  onComplete: () => void,
  doubt: Doubt,
): Promise<void> {
  const { jobs } = store;
  try {
    await jobs.begin(job);
    for (const page of pages) {
      await jobs.add(job, page);
    }
  } catch (error) {
    // Nothing of the message is sent before it is complete.
    const remove = (): Promise<void> => jobs.abandon(job.id);
    await remove().catch(() => void removeLater(remove, doubt));
    doubt.failed(error);
    throw certainly(error);
  }
  onComplete();
  if (!(await complete(() => jobs.commit(job.id, job.account), doubt))) {
    // After a long pause, others have removed the incomplete message. This process may have added pages since.
    await jobs.abandon(job.id).catch(() => {});
    throw new StoreError("STORE_SLOW", store.engine.place, "", false);
  }
}

/** Retries until the store can be written. After a close, the recovery removes the rest. */
async function removeLater(remove: () => Promise<void>, { isClosed }: Doubt): Promise<void> {
  for (let isThere = true; isThere; ) {
    await pause(RETRY);
    if (isClosed()) {
      return;
    }
    isThere = await remove().then(
      () => false,
      () => true,
    );
  }
}

/** A complete message is accepted whatever an error says, so the write is repeated. @throws StoreError, uncertain */
async function complete(write: () => Promise<boolean>, { isClosed, failed }: Doubt): Promise<boolean> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error;
      }
      if (isClosed()) {
        throw new StoreError(error.code, error.place, "", true);
      }
      failed(error);
      await pause(RETRY);
    }
  }
}
