export interface RuntimeAnswer {
  readonly ok: boolean;
  /** Code of a refusal; `not-allowed` or `no-answer` if the runtime gave none. Empty if `ok`. */
  readonly error: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const BY_STATUS: Readonly<Record<number, string>> = { 401: "not-allowed", 403: "not-allowed" };

/** Never rejects. */
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
