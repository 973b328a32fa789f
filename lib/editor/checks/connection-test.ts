import { askRuntime, type RuntimeAnswer } from "../dialog/ask-runtime";
import type { Dialog } from "../dialog/dialog";
import { type Grade, resultLine, resultLines, showResultLines } from "./result-line";
import { iconButton } from "../dialog/icon-button";
import { knownText, type Texts } from "../dialog/texts";

interface Line {
  readonly check: string;
  readonly state: Exclude<Grade, "running">;
  readonly code: string;
  readonly about: string;
  readonly detail: string;
}

const SETTINGS = [
  "service",
  "serviceAddress",
  "tokenAddress",
  "applicationId",
  "legacyAuth",
  "tls",
  "proxy",
  "connectTimeout",
  "answerTimeout",
  "keepMessages",
  "storeFolder",
  "storeSchema",
  "storeTls",
  "keepDays",
  "snapshotLimit",
] as const;
const CREDENTIALS = ["username", "password", "accessToken", "clientId", "clientSecret", "storeUrl"] as const;

/** "Add new" of a configuration node counts as blank. */
function read({ input }: Dialog, names: readonly string[]): Record<string, string> {
  const value = (name: string): string => {
    const typed = String(input(name).val() ?? "");
    return typed === "_ADD_" ? "" : typed;
  };
  return Object.fromEntries(names.map((name) => [name, value(name)]));
}

export function prepareConnectionTest(dialog: Dialog, row: JQuery, texts: Texts): void {
  const say: Texts = (key, values) => texts(`connection.${key}`, values);
  const list = resultLines();
  const button = iconButton("plug", say("button"), "usual");
  row.append(button, $("<div>", { class: "messaging-hint" }).text(say("hint")), list);

  let latest = 0;
  const show = (...lines: JQuery[]): void => showResultLines(list, lines);
  const lineOf = ({ check, state, code, about, detail }: Line): JQuery => {
    // A code without a text is shown unchanged, with its details.
    const text = knownText(say, `${check}.${code}`, { about }) ?? say("other", { code });
    return resultLine(state, say(`check.${check}`), text, detail);
  };
  const namesOf = (lines: readonly Line[]): string =>
    [...new Set(lines.map(({ check }) => say(`check.${check}`).replace(/:$/, "")))].join(", ");
  const report = ({ simulated, lines }: RuntimeAnswer["body"]): JQuery[] => {
    const all = lines as readonly Line[];
    const those = (state: Grade): Line[] => all.filter((line) => line.state === state);
    const [failed, warnings] = [those("failed"), those("warning")];
    const lacksApplication = all.some(({ check, code }) => check === "application" && code === "NONE");
    const sum: JQuery =
      failed.length > 0
        ? resultLine("failed", say("sum.failed", { checks: namesOf(failed) }))
        : warnings.length > 0
          ? resultLine("warning", say("sum.warning"))
          : resultLine("ok", say(lacksApplication ? "sum.okNoApplication" : "sum.ok"));
    const real = simulated === true ? [resultLine("warning", say("simulated"), say("simulatedText"))] : [];
    // Failures come first: the last lines may be out of sight.
    const others = all.filter((line) => !failed.includes(line) && !warnings.includes(line));
    return [...real, sum, ...[...failed, ...warnings, ...others].map(lineOf)];
  };
  const refusal = ({ error, body }: RuntimeAnswer): JQuery => {
    if (error === "retype") {
      const names = (body.fields as readonly string[]).map((name) => `“${texts(`field.${name}`)}”`);
      return resultLine("failed", say("sum.refused"), say("retype", { fields: names.join(", ") }));
    }
    const text = knownText(say, `refused.${error}`) ?? say("refused.no-answer");
    return resultLine("failed", say("sum.refused"), text);
  };

  button.on("click", () => {
    const request = ++latest;
    button.prop("disabled", true);
    show(resultLine("running", say("running")));
    const body = { config: read(dialog, SETTINGS), credentials: read(dialog, CREDENTIALS) };
    void askRuntime(`messaging-account/${encodeURIComponent(dialog.node.id)}/test`, body).then((answer) => {
      button.prop("disabled", false);
      if (request === latest) {
        show(...(answer.ok ? report(answer.body) : [refusal(answer)]));
      }
    });
  });
  // The results belong to settings that have changed.
  dialog.form.on("input change", () => {
    latest++;
    list.empty();
  });
}
