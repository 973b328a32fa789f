import { recipientEntries } from "../../shared/recipients/entry-reader";
import { type FieldSpec, isFieldOf } from "../../shared/fields/field-spec";
import { readSpelling } from "../../shared/recipients/phone-number";
import { askRuntime, type RuntimeAnswer } from "../dialog/ask-runtime";
import { type TestPrompt, promptInput, readDialog } from "./test-prompts";
import { confirm } from "../dialog/confirm";
import { currentValue, type Dialog, isOpen } from "../dialog/dialog";
import { accountOf } from "../inputs/account/account-property";
import { type Grade, resultLine, resultLines, showResultLines } from "./result-line";
import { iconButton } from "../dialog/icon-button";
import { knownText, sharedTexts, type Texts } from "../dialog/texts";

interface ShownResult {
  readonly outcome: string;
  readonly statusCode: number | null;
  readonly statusName: string;
  readonly statusMessage: string;
  readonly advice: string;
  readonly simulated: boolean;
}

interface TestBody {
  readonly type: string;
  readonly node: string;
  readonly config: object;
  readonly to: string;
  readonly sample: object | null;
  /** The user has confirmed that the test may cost money. */
  readonly confirmed: boolean;
}

const say: Texts = (key, values) => sharedTexts(`sendTest.${key}`, values);

const GRADE: Readonly<Record<string, Grade>> = {
  sent: "ok",
  queued: "ok",
  "retry-later": "warning",
  unknown: "warning",
};

interface SendTest {
  readonly specs: readonly FieldSpec[];
  readonly texts: Texts;
  readonly settings: readonly string[];
  readonly sample: () => object | null;
}

export function prepareSendTest(dialog: Dialog, test: SendTest): void {
  const panel = dialog.form.find(".messaging-send-test");
  dialog.whenShown(panel, [], () => fillPanel(panel, dialog, test));
}

function fillPanel(panel: JQuery, dialog: Dialog, { specs, texts, settings, sample }: SendTest): void {
  const { node, watch } = dialog;
  const lead = $("<div>", { class: "messaging-lead" });
  const to = $("<input>", { type: "text", id: "messaging-send-test-to", placeholder: "+41791234567" });
  const toRow = row("messaging-send-test-to", say("to"), "fa-mobile").append(to);
  const promptRows = $("<div>");
  const button = iconButton("paper-plane", say("button"), "usual");
  const list = resultLines();
  panel.append(
    lead,
    toRow,
    promptRows,
    $("<div>", { class: "form-row messaging-indent" }).append(button, list),
  );

  const typed = new Map<string, string>();
  const textOf = (key: string): string => typed.get(key) ?? "";
  let shown = "";
  let current: ReturnType<typeof readDialog> | null = null;

  const refresh = (): void => {
    current = readDialog(dialog, specs, texts);
    lead.text(leadText());
    const wanted = JSON.stringify(current.prompts);
    // The input with the focus must stay.
    if (wanted !== shown) {
      shown = wanted;
      promptRows.empty().append(...current.prompts.map(promptRow));
    }
  };
  const promptRow = (field: TestPrompt, at: number): JQuery => {
    const id = `messaging-send-test-${at}`;
    const input = promptInput(field).attr("id", id);
    const known = typed.get(field.key);
    if (known !== undefined) {
      input.val(known);
    }
    typed.set(field.key, String(input.val() ?? ""));
    input.on("input change", () => void typed.set(field.key, String(input.val() ?? "")));
    const hint = $("<div>", { class: "messaging-hint" }).text(say("from", { from: field.from }));
    return row(id, field.label, "fa-pencil").append(input, hint);
  };
  const leadText = (): string => {
    const account = RED.nodes.node(accountOf(node));
    const simulated = account ? account.service !== "service" : false;
    const mode = specs.some(
      (spec) => spec.name === "test" && isFieldOf(spec, (name) => currentValue(node, name)),
    );
    const text = say(simulated ? "lead.simulated" : mode ? "lead.test" : "lead.real");
    return account?.changed === true ? `${text} ${say("lead.changed")}` : text;
  };
  const show = (...lines: JQuery[]): void => showResultLines(list, lines);

  const missing = (prompts: readonly TestPrompt[]): string | null => {
    if (["", "_ADD_"].includes(accountOf(node))) {
      return say("refused.no-account");
    }
    if (!isOneNumber(String(to.val() ?? ""))) {
      return say("refused.one-number");
    }
    const blank = prompts.find(({ key, required }) => required && textOf(key).trim() === "");
    return blank === undefined ? null : say("refused.blank", { field: blank.label });
  };
  const send = (): void => {
    refresh();
    const { prompts, fillIn } = current as ReturnType<typeof readDialog>;
    const fault = missing(prompts);
    if (fault !== null) {
      show(resultLine("failed", say("notSent"), fault));
      return;
    }
    const others = Object.fromEntries(settings.map((name) => [name, currentValue(node, name)]));
    post(accountOf(node), {
      type: node.type,
      node: node.id,
      config: { ...others, ...fillIn(textOf) },
      to: String(to.val()).trim(),
      sample: sample(),
      confirmed: false,
    });
  };
  /** Sends the confirmed values, whatever was typed since. */
  const post = (account: string, body: TestBody): void => {
    button.prop("disabled", true);
    show(resultLine("running", say("running")));
    void askRuntime(`messaging-account/${encodeURIComponent(account)}/send-test`, body).then((answer) => {
      button.prop("disabled", false);
      list.empty();
      if (answer.error !== "confirm") {
        show(...(answer.ok ? outcomeLines(answer.body) : [refusal(answer)]));
      } else if (isOpen(dialog)) {
        const question = { question: say("confirm", { to: body.to }), no: say("cancel"), yes: say("yes") };
        confirm(question, () => post(account, { ...body, confirmed: true }));
      }
    });
  };

  button.on("click", send);
  watch(refresh);
}

function row(id: string, label: string, icon: string): JQuery {
  const head = $("<label>", { for: id });
  $("<i>", { class: `fa ${icon}` }).appendTo(head);
  head.append(" ", $("<span>").text(label));
  // The space separates label and input, as in the other rows.
  return $("<div>", { class: "form-row" }).append(head, " ");
}

/** A placeholder that a row can fill, unlike those of context and environment. */
const ROW_VALUE = /\{\{(?!env\.|(?:flow|global)[.[])/;

/** True if the parser of the runtime finds exactly one number, valid or not. */
const isOneNumber = (text: string): boolean =>
  recipientEntries(text).filter((entry) => readSpelling(entry).form !== "blank").length === 1;

function outcomeLines({ test, result }: RuntimeAnswer["body"]): JQuery[] {
  const { outcome, statusCode, statusName, statusMessage, advice, simulated } = result as ShownResult;
  const grade = GRADE[outcome] ?? "failed";
  // The success message of the service would claim that a message was sent.
  const notReal = grade === "ok" && (simulated || test === true);
  const title = notReal ? say(simulated ? "outcome.simulated" : "outcome.tested") : say(`outcome.${outcome}`);
  const isLocal = grade === "failed" && statusCode === null;
  const help = statusName === "FIELD_UNRESOLVED" && ROW_VALUE.test(statusMessage) ? say("pasteRow") : advice;
  // Most advice after a check of this package contains the sentence.
  const isSaid = help.toLowerCase().includes(say("nothing"));
  const code = statusCode === null ? statusName : `${statusCode} ${statusName}`;
  return [
    // A message that was rejected locally never reached the simulator.
    ...(simulated && !isLocal ? [resultLine("warning", say("simulated"), say("simulatedText"))] : []),
    notReal
      ? resultLine(grade, title, "", code)
      : resultLine(
          grade,
          (isSaid ? knownText(say, `outcome.short.${outcome}`) : null) ?? title,
          `${statusMessage} ${help}`,
          code,
        ),
  ];
}

function refusal({ error, body }: RuntimeAnswer): JQuery {
  if (error === "set-up" && typeof body.message === "string") {
    return resultLine("failed", say("notSent"), body.message);
  }
  const text = knownText(say, `refused.${error}`);
  const unclear = text === null || error === "no-answer" || error === "internal";
  return resultLine("failed", say(unclear ? "unclear" : "notSent"), text ?? say("refused.no-answer"));
}
