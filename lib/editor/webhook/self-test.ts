import type { EditedNode } from "../dialog/node-definition";
import { knownText, type Texts } from "../dialog/texts";

interface Check {
  readonly where: "local" | "public";
  readonly url: string;
  readonly passed: boolean;
  readonly reason: string;
  readonly httpStatus: number | null;
  readonly detail: string | null;
  readonly ms: number;
}

interface Answer {
  readonly checks?: readonly Check[];
  readonly error?: string;
}

/** An unknown reason is shown unchanged. */
const reasonText = (texts: Texts, reason: string): string =>
  knownText(texts, `selfTest.reason.${reason}`) ?? reason;

function line(isGood: boolean, text: string): JQuery {
  const icon = $("<i>", { class: `fa ${isGood ? "fa-check" : "fa-exclamation-triangle"}` });
  return $("<div>", { class: isGood ? "messaging-good" : "messaging-bad" })
    .append(icon, document.createTextNode(` ${text}`))
    .attr("role", isGood ? "status" : "alert");
}

function describe(texts: Texts, { where, url, passed, reason, httpStatus, detail, ms }: Check): JQuery {
  const details = [httpStatus === null ? "" : `HTTP ${httpStatus}`, detail ?? ""].filter(
    (part) => part !== "",
  );
  const result = passed
    ? texts("selfTest.passed", { ms })
    : reasonText(texts, reason) + (details.length > 0 ? ` (${details.join(", ")})` : "");
  return line(passed, `${texts(`selfTest.${where}`)}: ${result}`).attr("title", url);
}

export function prepareSelfTest(node: EditedNode, button: JQuery, output: JQuery, texts: Texts): void {
  const show = (...lines: JQuery[]): void => void output.empty().append(lines);
  button.on("click", (event) => {
    event.preventDefault();
    // New nodes count as changed, too.
    if (RED.nodes.node(node.id)?.changed) {
      show(line(false, texts("selfTest.deploy-first")));
      return;
    }
    button.prop("disabled", true);
    output.empty().text(texts("selfTest.running"));
    void $.ajax({
      method: "POST",
      contentType: "application/json",
      data: "{}",
      url: `messaging-account/webhook-in/${encodeURIComponent(node.id)}/self-test`,
    })
      .done(({ checks = [], error }: Answer) => {
        const lines = checks.map((check) => describe(texts, check));
        if (error !== undefined) {
          lines.push(line(false, reasonText(texts, error)));
        }
        if (error === undefined && !checks.some(({ where }) => where === "public")) {
          lines.push($("<div>").text(texts("selfTest.local-only")));
        }
        show(...lines);
      })
      .fail(({ status, responseJSON }) => {
        const known = (responseJSON as Answer | undefined)?.error;
        const reason = status === 401 || status === 403 ? "no-permission" : (known ?? "no-answer");
        show(line(false, reasonText(texts, reason)));
      })
      .always(() => button.prop("disabled", false));
  });
}
