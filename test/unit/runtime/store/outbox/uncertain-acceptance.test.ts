import assert from "node:assert/strict";
import { storePages } from "../../../../../lib/runtime/store/outbox/uncertain-acceptance";
import type { AccountStore } from "../../../../../lib/runtime/store/open-store";
import { StoreError } from "../../../../../lib/store/engine/store-error";
import { waitFor } from "../../../../support/wait-for";
import { newJob, newRequest } from "../../../store/suite/store-under-test";
import { useShortTimers } from "../../short-timers";

describe("a message of many pages", () => {
  useShortTimers();
  it("is removed later where the store failed, and could not remove it at once", async () => {
    const away = new StoreError("STORE_UNREACHABLE", "db", "", true);
    const job = newJob();
    const removed: number[] = [];
    const jobs = {
      begin: () => Promise.resolve(),
      add: () => Promise.reject(away),
      abandon: async (id: number) => {
        removed.push(id);
        if (removed.length < 3) throw away;
      },
    };
    const place = { store: { jobs, engine: { place: "db" } } } as unknown as AccountStore;
    const told: unknown[] = [];
    const doubt = { isClosed: () => false, failed: (error: unknown) => told.push(error) };
    await assert.rejects(
      storePages(place, job, [[newRequest()]], () => assert.fail("it is not complete"), doubt),
      (error: StoreError) => error.code === "STORE_UNREACHABLE" && !error.uncertain,
    );
    assert.deepEqual(told, [away]);
    await waitFor("a removal that succeeds", () => removed.length === 3);
    assert.deepEqual(removed, [job.id, job.id, job.id]);
  });
});
