import { STAND_IN } from "../../shared/stand-in";
import { askRuntime } from "../dialog/ask-runtime";
import { type Dialog, isOpen } from "../dialog/dialog";
import { randomSecret } from "./random-secret";
import { knownText, type Texts } from "../dialog/texts";

/** Elements around the secret's input. */
export interface SecretElements {
  /** Makes a new secret. */
  readonly renew: JQuery;
  /** Shown while the secret is a stored one. */
  readonly stored: JQuery;
  /** Shows why a stored secret could not be read. */
  readonly refusal: JQuery;
}

/** The secret in the dialog of a webhook. A stored secret stays in the runtime until a user with permission to deploy requests it. */
export class WebhookSecret {
  readonly #dialog: Dialog;
  readonly #elements: SecretElements;
  readonly #texts: Texts;
  /** The stored secret after a request for it. */
  #read: { readonly secret: string; readonly stored: string } | null = null;

  constructor(dialog: Dialog, elements: SecretElements, texts: Texts) {
    this.#dialog = dialog;
    this.#elements = elements;
    this.#texts = texts;
    const { form, input } = dialog;
    if (String(input("secret").val()) === "") {
      // A node without a secret, as in the examples.
      input("secret").val(randomSecret());
    }
    elements.renew.on("click", (event) => {
      event.preventDefault();
      this.#renew();
    });
    const update = (): void => void elements.stored.toggle(this.#isStored);
    form.on("input change keyup", update);
    update();
  }

  /** The secret that the service has to send; null while only the runtime has it. */
  get shown(): string | null {
    return this.#isStored ? (this.#read?.secret ?? null) : this.#typed;
  }

  /** Calls `take` with the secret: at once if it is known here, else after the runtime has answered. Shows a refusal. */
  use(take: (secret: string) => void): void {
    const { shown } = this;
    if (shown === null) {
      this.#ask(({ secret }) => take(secret));
    } else {
      take(shown);
    }
  }

  get #typed(): string {
    return String(this.#dialog.input("secret").val() ?? "");
  }

  get #isStored(): boolean {
    return this.#typed === STAND_IN;
  }

  #renew(): void {
    if (this.#isStored) {
      // The stand-in itself must not become the second secret.
      this.#ask(({ stored }) => {
        // Not over a secret that was typed meanwhile, nor twice.
        if (this.#isStored) {
          this.#replace(stored);
        }
      });
    } else {
      this.#replace(this.#typed);
    }
  }

  #replace(before: string): void {
    const { input } = this.#dialog;
    input("secondSecret").val(before).trigger("change");
    input("secret").val(randomSecret()).trigger("change");
  }

  #ask(take: (read: { secret: string; stored: string }) => void): void {
    const { refusal } = this.#elements;
    const path = `messaging-account/webhook-in/${encodeURIComponent(this.#dialog.node.id)}/secret`;
    void askRuntime(path, {}).then(({ ok, error, body }) => {
      if (!isOpen(this.#dialog)) {
        return;
      }
      const why = knownText(this.#texts, `secretRefused.${error}`) ?? this.#texts("secretRefused.no-answer");
      refusal.text(ok ? "" : why);
      if (ok) {
        this.#read = { secret: String(body.secret), stored: String(body.stored) };
        this.#dialog.input("secret").trigger("change");
        take(this.#read);
      }
    });
  }
}
