/** An answer of one of our admin routes: what it says, and whether that is a refusal. */
export interface RuntimeAnswer {
  readonly ok: boolean;
  /** Of a refusal, where the runtime gave one; `not-allowed` or `no-answer` where it did not. */
  readonly error: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const BY_STATUS: Readonly<Record<number, string>> = { 401: "not-allowed", 403: "not-allowed" };

/** Asks the runtime as the editor itself does, sign-in included. Never rejects. */
export function askRuntime(path: string, body: object): Promise<RuntimeAnswer> {
  return new Promise((resolve) => {
    $.ajax({
      url: path,
      type: "POST",
      contentType: "application/json; charset=utf-8",
      data: JSON.stringify(body),
      success: (answer: unknown) => {
        const body = asObject(answer);
        const error = typeof body.error === "string" ? body.error : "";
        resolve({ ok: error === "", error, body });
      },
      error: ({ status, responseJSON }: JQuery.jqXHR) => {
        const refusal = asObject(responseJSON);
        const error = typeof refusal.error === "string" ? refusal.error : (BY_STATUS[status] ?? "no-answer");
        resolve({ ok: false, error, body: refusal });
      },
    });
  });
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
