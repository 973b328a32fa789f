import { askRuntime } from "../dialog/ask-runtime";
import { currentValue, type Dialog, isOpen } from "../dialog/dialog";
import { sharedTexts, type Texts } from "../dialog/texts";

const say: Texts = (key, values) => sharedTexts(`fileFacts.${key}`, values);

/** What is known of a file; null for what its server does not say. */
interface Facts {
  readonly type: string | null;
  readonly size: number | null;
}

/** Where the facts of the file of a URL go: the fields of its type and size. */
interface FactFields {
  readonly type: string;
  readonly size: string;
}

/** The fields with the address of a file. */
const FIELDS: Readonly<Record<string, FactFields>> = {
  fileUrl: { type: "fileMIMEType", size: "fileSize" },
  fileThumbnailUrl: { type: "fileThumbnailMIMEType", size: "fileThumbnailSize" },
  audioUrl: { type: "audioMIMEType", size: "audioSize" },
  mediaUrl: { type: "mediaContentType", size: "mediaFileSize" },
  mediaThumbnailUrl: { type: "mediaThumbnailContentType", size: "mediaThumbnailFileSize" },
};

/** The refusals that have words of their own. */
const REFUSALS = [
  "bad-url",
  "not-public",
  "unreachable",
  "refused",
  "redirects",
  "timeout",
  "busy",
  "not-allowed",
];

/**
 * A button that reads type and size of a file from its URL, by way of the runtime, with a line that says what came of it.
 * @param account id of the account whose proxy leads there
 */
export function fileFactsButton(
  account: () => string,
  url: () => string,
  found: (facts: Facts) => void,
): JQuery {
  const button = $("<button>", { type: "button", class: "red-ui-button red-ui-button-small" }).append(
    $("<i>", { class: "fa fa-magic", "aria-hidden": "true" }),
    " ",
    $("<span>").text(say("button")),
  );
  const line = $("<span>", { role: "status" });
  button.on("click", () => {
    button.prop("disabled", true);
    line.removeClass("messaging-bad").text(say("running"));
    const id = encodeURIComponent(account() || "none");
    const asked = url().trim();
    void askRuntime(`messaging-account/${id}/file-facts`, { url: asked }).then(({ ok, error, body }) => {
      button.prop("disabled", false);
      if (url().trim() !== asked) {
        // They are the facts of another file.
        line.text("");
        return;
      }
      if (!ok) {
        const key = REFUSALS.includes(error) ? error : "failed";
        line.addClass("messaging-bad").text(say(key, { status: String(body.status ?? "") }));
        return;
      }
      const facts: Facts = {
        type: typeof body.type === "string" ? body.type : null,
        size: typeof body.size === "number" ? body.size : null,
      };
      const parts = [facts.type, facts.size === null ? null : say("bytes", { n: facts.size })];
      const known = parts.filter((part) => part !== null).join(", ");
      const missing = facts.type === null ? "no-type" : facts.size === null ? "no-size" : null;
      line
        .toggleClass("messaging-bad", missing !== null)
        .text(known === "" ? say("nothing") : missing === null ? known : `${known} – ${say(missing)}`);
      found(facts);
    });
  });
  return $("<div>", { class: "messaging-hint messaging-file-facts" }).append(button, " ", line);
}

/**
 * Prepares the buttons at the addresses of pictures and files, while such an address is typed. Call it before the rows of
 * the form are built.
 * @returns has to be called with the name of each field whose row is built
 */
export function prepareFileFacts(dialog: Dialog): (name: string) => void {
  const { node, form, input, watch, buildShown } = dialog;
  const groups = new Map<string, JQuery>();
  for (const { type, size } of Object.values(FIELDS)) {
    for (const name of [type, size]) groups.set(name, input(name).closest("details"));
  }
  const fill = (name: string, source: string, value: string): void => {
    groups.get(name)?.attr("open", "");
    buildShown();
    const field = input(name);
    field.typedInput("type", source);
    field.typedInput("value", value);
  };
  const update = (): void => {
    for (const name of Object.keys(FIELDS)) {
      const isTyped = currentValue(node, `${name}Source`) === "str";
      form.find(`.messaging-file-facts[data-of=${name}]`).toggle(isTyped);
    }
  };
  watch(update);
  return (name) => {
    const fields = FIELDS[name];
    if (fields === undefined) {
      return;
    }
    const button = fileFactsButton(
      () => String(currentValue(node, "account") ?? ""),
      () => (isOpen(dialog) ? String(input(name).typedInput("value")) : ""),
      ({ type, size }) => {
        if (type !== null) fill(fields.type, "str", type);
        if (size !== null) fill(fields.size, "num", String(size));
      },
    ).attr("data-of", name);
    input(name).closest(".form-row").append(button);
    update();
  };
}
