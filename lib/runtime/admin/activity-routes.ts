import type { NodeAPI } from "node-red";
import { z } from "zod";
import { ACTIVITY_PATH, type ActivityEntry, activityPath } from "../../shared/activity";
import { LONGEST_SEARCHED, READ_HISTORY } from "../../shared/history/history";
import { OUTCOMES, type Outcome } from "../../shared/outcomes";
import { inLanguage } from "../../texts/say";
import { reasonWords } from "../../texts/short-reason";
import { Account } from "../account/account";
import { activityOf } from "../activity/activity-of";
import { fitsNumber } from "../activity/fits-number";
import { configsOf } from "../node-red/configs-of";
import { searchedNumber } from "../store/history/searched-number";
import { addRoute } from "./add-route";
import { serveEditor } from "./editor-request";
import { problemOf } from "./store-request";

const entry = z.strictObject({ epoch: z.string().max(100), id: z.int().min(1) });
const find = z.strictObject({ text: z.string().trim().min(1).max(LONGEST_SEARCHED) });

/** Serves the activity. Numbers are complete for users who may read the history, masked for others. */
export function serveActivity(RED: NodeAPI): void {
  const log = activityOf(RED);
  const path = `/${ACTIVITY_PATH}`;
  addRoute(RED, "get", path, "flows.read", (req, res) => {
    const { epoch, after, change } = req.query;
    const state = log.watch(typeof epoch === "string" ? epoch : "", countOf(after), countOf(change));
    const [language = ""] = req.acceptsLanguages();
    res.set("cache-control", "no-store");
    res.json({ ...state, entries: inLanguage(language, () => state.entries.map(withReason)) });
  });
  for (const full of [false, true]) {
    const permission = full ? READ_HISTORY : "flows.read";
    const pathOf = (what: "entry" | "find"): string => `/${activityPath(what, full)}`;
    serveEditor(
      RED,
      pathOf("entry"),
      permission,
      entry,
      async (_id, { epoch, id }, _onGone, forReader) =>
        forReader(() => log.details(epoch, id, full)) ?? { error: "gone" },
    );
    serveEditor(RED, pathOf("find"), permission, find, async (_id, { text }) => {
      const readings = countriesOf(RED).flatMap((country) => searchedNumber(text, country) ?? []);
      const fits = fitsNumber([...new Set(readings)], text.replace(/\D/g, ""), full);
      return log.find(fits).catch(problemOf);
    });
  }
  addRoute(RED, "delete", path, "flows.write", (_req, res) => {
    log.clear();
    res.status(204).end();
  });
}

function withReason(entry: ActivityEntry): ActivityEntry {
  const { result, name } = entry;
  const isFailure = Object.hasOwn(OUTCOMES, result) && OUTCOMES[result as Outcome].failure;
  const reason = isFailure || result === "files-failed" ? reasonWords(name) : null;
  return reason === null ? entry : { ...entry, reason };
}

function countOf(value: unknown): number {
  const count = Number(value);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** Without a country for numbers that contain theirs. */
const countriesOf = (RED: NodeAPI): readonly string[] => {
  const accounts = configsOf(RED, "messaging-account").map(({ id }) => Account.find(RED.nodes.getNode(id)));
  return [...new Set(["", ...accounts.map((account) => account?.defaultCountry ?? "")])];
};
