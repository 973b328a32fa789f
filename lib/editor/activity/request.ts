import { language } from "../dialog/locale";

export class RequestFailure extends Error {
  /**
   * @param fault its code, which is also the key of its text
   * @param detail what the runtime says about it; blank where it says nothing
   */
  constructor(
    readonly fault: string,
    readonly detail = "",
  ) {
    super(fault);
  }
}

export type FaultsByStatus = Readonly<Record<number, string>>;

/** Where there is no code for a status, Node-RED does not answer. */
export const DENIED: FaultsByStatus = { 401: "denied", 403: "denied" };

const failureOf = ({ status }: { readonly status: number }, faults = DENIED): RequestFailure =>
  new RequestFailure(faults[status] ?? "down");

/** A body with the code of a fault says that there is nothing else. */
interface Fault {
  readonly error: string;
  readonly message?: string;
}

const isFault = (body: unknown): body is Fault =>
  typeof body === "object" && body !== null && "error" in body;

const posted = (url: string, input: object): JQuery.AjaxSettings => ({
  url,
  method: "POST",
  contentType: "application/json",
  // Sentences of the runtime are made in the language of the editor, which need not be that of the browser.
  headers: { "Accept-Language": language() },
  data: JSON.stringify(input),
});

/** The body of an answer. Rejects with a `RequestFailure`. */
export const settle = <Body>(request: JQuery.jqXHR, faults?: FaultsByStatus): Promise<Body> =>
  new Promise((resolve, reject) => {
    request.then(
      (body: Body | Fault) =>
        isFault(body) ? reject(new RequestFailure(body.error, body.message)) : resolve(body),
      (answer) => reject(failureOf(answer, faults)),
    );
  });

/** Rejects with a `RequestFailure`. @param signal ends the request, as `down` */
export function post<Body>(
  url: string,
  input: object,
  faults?: FaultsByStatus,
  signal?: AbortSignal,
): Promise<Body> {
  const request = $.ajax(posted(url, input));
  signal?.addEventListener("abort", () => request.abort());
  return settle(request, faults);
}

/** Rejects with a `RequestFailure`, also for a file that was broken off. */
export function download(url: string, input: object): Promise<Blob> {
  return new Promise((resolve, reject) => {
    // A type that jQuery converts nothing of.
    $.ajax({ ...posted(url, input), dataType: "binary", xhrFields: { responseType: "blob" } }).then(
      (body: Blob, _status, answer) => {
        if (answer.getResponseHeader("content-disposition") !== null) {
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
      (answer) => reject(failureOf(answer)),
    );
  });
}
