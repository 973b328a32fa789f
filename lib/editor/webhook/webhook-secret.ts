import { STAND_IN } from "../../shared/stand-in";
import { askRuntime } from "../dialog/ask-runtime";
import { type Dialog, isOpen } from "../dialog/dialog";
import { knownText, type Texts } from "../dialog/texts";

const BYTES = 24;

/** Returns 32 random characters that are valid in a URL and in a header. */
export function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_");
}

export interface WebhookSecret {
  /** Null while only the runtime has the secret. */
  readonly shown: () => string | null;
  /** Calls `take` with the secret, at once or after the response of the runtime. Shows a refusal. */
  readonly use: (take: (secret: string) => void) => void;
}

/** A stored secret stays in the runtime until a user with permission to deploy requests it. */
export function prepareSecret(
  dialog: Dialog,
  { renew, stored, refusal }: Readonly<Record<"renew" | "stored" | "refusal", JQuery>>,
  texts: Texts,
): WebhookSecret {
  const { node, form, input } = dialog;
  /** The stored secret after a request for it. */
  let read: { readonly secret: string; readonly stored: string } | null = null;
  const typed = (): string => String(input("secret").val() ?? "");
  const isStored = (): boolean => typed() === STAND_IN;
  const ask = (take: (read: { secret: string; stored: string }) => void): void => {
    const path = `messaging-account/webhook-in/${encodeURIComponent(node.id)}/secret`;
    void askRuntime(path, {}).then(({ ok, error, body }) => {
      if (!isOpen(dialog)) {
        return;
      }
      const why = knownText(texts, `secretRefused.${error}`) ?? texts("secretRefused.no-answer");
      refusal.text(ok ? "" : why);
      if (ok) {
        read = { secret: String(body.secret), stored: String(body.stored) };
        input("secret").trigger("change");
        take(read);
      }
    });
  };
  const replace = (before: string): void => {
    input("secondSecret").val(before).trigger("change");
    input("secret").val(randomSecret()).trigger("change");
  };
  const shown = (): string | null => (isStored() ? (read?.secret ?? null) : typed());
  if (typed() === "") {
    // A node without a secret, as in the examples.
    input("secret").val(randomSecret());
  }
  renew.on("click", (event) => {
    event.preventDefault();
    if (!isStored()) {
      replace(typed());
      return;
    }
    // The stand-in must not become the second secret. A newly typed secret stays, and a second response changes nothing.
    ask((answer) => isStored() && replace(answer.stored));
  });
  const update = (): void => void stored.toggle(isStored());
  form.on("input change keyup", update);
  update();
  return {
    shown,
    use(take) {
      const secret = shown();
      if (secret === null) {
        ask((answer) => take(answer.secret));
      } else {
        take(secret);
      }
    },
  };
}
