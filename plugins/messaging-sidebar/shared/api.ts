import { language } from "../../../lib/editor/dialog/locale";

export class RequestFailure extends Error {
  /**
   * @param fault its code, which is also the key of its text
   * @param detail a sentence of the runtime; may be blank
   */
  constructor(
    readonly fault: string,
    readonly detail = "",
  ) {
    super(fault);
  }
}

/** A response with the code of a fault has nothing else. */
interface Fault {
  readonly error: string;
  readonly message?: string;
}

const FAULTS: Readonly<Record<number, string>> = {
  400: "invalid",
  401: "denied",
  403: "denied",
  413: "too-large",
};

const toFailure = ({ status }: JQuery.jqXHR): RequestFailure => new RequestFailure(FAULTS[status] ?? "down");

const isFault = (body: unknown): body is Fault =>
  typeof body === "object" && body !== null && "error" in body;

/** Sends a request about an account, with the sign-in of the editor. Sentences are in the language of the editor. */
const send = (account: string, action: string, settings: JQuery.AjaxSettings): JQuery.jqXHR =>
  $.ajax({
    url: `messaging-account/${encodeURIComponent(account)}/${action}`,
    headers: { "Accept-Language": language() },
    ...settings,
  });

const posted = (input: object): JQuery.AjaxSettings => ({
  method: "POST",
  contentType: "application/json",
  data: JSON.stringify(input),
});

const getBody = <Body>(request: JQuery.jqXHR): Promise<Body> =>
  new Promise((resolve, reject) => {
    request.then(
      (body: Body | Fault) =>
        isFault(body) ? reject(new RequestFailure(body.error, body.message)) : resolve(body),
      (response) => reject(toFailure(response)),
    );
  });

/** Rejects with a `RequestFailure`. */
export const get = <Body>(account: string, action: string): Promise<Body> =>
  getBody(send(account, action, { dataType: "json" }));

/** Rejects with a `RequestFailure`. @param signal ends the request, as `down` */
export function post<Body>(
  account: string,
  action: string,
  input: object = {},
  signal?: AbortSignal,
): Promise<Body> {
  const request = send(account, action, posted(input));
  signal?.addEventListener("abort", () => request.abort());
  return getBody(request);
}

/** Saves a file of the runtime. Rejects with a `RequestFailure`, also for a file that is not complete. */
export async function save(account: string, action: string, input: object, name: string): Promise<void> {
  // A type that jQuery converts nothing of.
  const settings = { ...posted(input), dataType: "binary", xhrFields: { responseType: "blob" as const } };
  const file = await new Promise<Blob>((resolve, reject) => {
    send(account, action, settings).then(
      (body: Blob, _status, response) => {
        if (response.getResponseHeader("content-disposition") !== null) {
          resolve(body);
          return;
        }
        body.text().then(
          (text) => {
            const { error, message } = JSON.parse(text) as Fault;
            reject(new RequestFailure(error, message));
          },
          () => reject(new RequestFailure("down")),
        );
      },
      (response) => reject(toFailure(response)),
    );
  });
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has started to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
