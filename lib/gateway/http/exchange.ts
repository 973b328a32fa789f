import type { Dispatcher } from "undici";
import { say } from "../../texts/say";
import type { LocalFault } from "../contract/local-outcomes";
import { ResponseBody } from "./body/response-body";
import { Deadline } from "./deadline";
import { getDetail, faultAfter, faultBefore, type NodeError } from "./exchange-fault";
import type { CancelSignals } from "./cancel-signal";
import { type ByteSource, isSource, type OpenSource } from "../contract/byte-source";
import { type Transfer, transferFault } from "./body/transfer";

export interface HttpRequest {
  readonly origin: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A source needs a `content-length` header and is opened when the request has a connection. */
  readonly body: string | Uint8Array | ByteSource | null;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export type Exchange =
  | { readonly response: HttpResponse; readonly fault?: never }
  | { readonly response?: never; readonly fault: LocalFault; readonly detail: string };

export interface ExchangeLimits {
  /** Ms from a ready connection to the last byte; for a file, the longest pause. */
  readonly answerTimeout: number;
  /** Ms to get a connection, longer than the connector's own timeout. */
  readonly readyTimeout: number;
  readonly maxBody: number;
}

export interface Exchanged {
  /** Runs inside a callback of the HTTP client, so it must not throw or run code of a flow. */
  exchanged(result: Exchange): void;
  /** Runs directly before the first byte is sent. False ends the request as CLOSING. */
  holdsLease?(): boolean;
}

/** Bytes that buffers can hold after the last piece, and bytes a second of a slow line. */
const IN_BUFFERS = 4 * 1024 * 1024;
const SLOW_LINE = 32 * 1024;

/** Returns ms until a slow line has carried the buffers. */
const timeInBuffers = (length: number): number => (Math.min(length, IN_BUFFERS) / SLOW_LINE) * 1000;

/** One request in flight. */
class Exchanging implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | null = null;
  #settled = false;
  #waiting = true;
  #status = 0;
  #headers: HttpResponse["headers"] = {};
  #deadline: Deadline | null = null;
  readonly #body: ResponseBody;
  readonly #releaseSignals: readonly (() => void)[];

  constructor(
    private readonly request: HttpRequest,
    private readonly limits: ExchangeLimits,
    private readonly signals: CancelSignals,
    private readonly transfer: Transfer,
    private readonly waiter: Exchanged,
  ) {
    const { maxBody } = limits;
    this.#body = new ResponseBody(maxBody, transfer, (fault, detail) => this.#end(fault, detail));
    const stop = (): void => this.#stop();
    this.#releaseSignals = [signals.stopNew.onStop(stop), signals.abort.onStop(stop)];
  }

  dispatch(dispatcher: Dispatcher): void {
    const { origin, method, path, headers, body } = this.request;
    dispatcher.dispatch(
      {
        origin,
        method,
        path,
        headers,
        body: isSource(body) ? (this.#follow(body) as never) : body,
        // The HTTP client must not repeat a request.
        idempotent: false,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      this,
    );
    // The HTTP client checks an idle connection first, so it starts most requests later.
    if (this.#controller === null && !this.#settled) {
      this.#deadline = new Deadline(this.limits.readyTimeout, () => this.#late());
    }
  }

  onRequestStart(control: Dispatcher.DispatchController): void {
    if (this.#settled) {
      // Cancelled without a connection: aborted before the first byte.
      control.abort(new Error("given up before a connection was ready"));
      return;
    }
    if (this.#controller !== null) {
      // The request was sent, so an attempt of the HTTP client to repeat it fails.
      this.#settle({ fault: "CONNECTION_LOST", detail: say("service.late.again") });
      control.abort(new Error("sent before"));
      return;
    }
    if (this.waiter.holdsLease?.() === false) {
      this.#end("CLOSING", "");
      control.abort(new Error("the process was stopped while it waited for a connection"));
      return;
    }
    this.#controller = control;
    const { answerTimeout } = this.limits;
    if (this.#deadline === null) {
      this.#deadline = new Deadline(answerTimeout, () => this.#late());
    } else {
      this.#deadline.restart(answerTimeout);
    }
  }

  onResponseStart(
    _control: Dispatcher.DispatchController,
    code: number,
    received: HttpResponse["headers"],
  ): void {
    if (code >= 200) {
      this.#status = code;
      this.#headers = received;
      this.#body.start(code, received);
    }
  }

  onResponseData(control: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.transfer.limit !== undefined && !this.#settled) {
      this.#deadline?.progress(chunk.length);
    }
    this.#body.accept(chunk, control);
  }

  onResponseEnd(): void {
    if (this.#settled) {
      return;
    }
    // The response is complete: no signal or deadline changes it.
    this.#stopWaiting();
    const whole = this.#body.finish();
    if (whole instanceof Promise) {
      whole.then(
        (kept) => this.#complete(kept),
        (error: unknown) => this.#settle(transferFault(error)),
      );
    } else {
      this.#complete(whole);
    }
  }

  onResponseError(_control: Dispatcher.DispatchController, error: NodeError): void {
    const fault = this.#controller === null ? faultBefore(error) : faultAfter(error);
    this.#settle({ fault, detail: getDetail(error) });
  }

  #complete(body: Buffer): void {
    this.#settle({ response: { status: this.#status, headers: this.#headers, body } });
  }

  #stopWaiting(): void {
    if (this.#waiting) {
      this.#waiting = false;
      this.#deadline?.stop();
      for (const leave of this.#releaseSignals) {
        leave();
      }
    }
  }

  #settle(result: Exchange): void {
    if (this.#settled) {
      return;
    }
    this.#settled = true;
    this.#stopWaiting();
    // A partial file is removed before the result is reported.
    const clearing = result.response === undefined ? this.#body.discard() : null;
    if (clearing === null) {
      this.waiter.exchanged(result);
    } else {
      void clearing.finally(() => this.waiter.exchanged(result));
    }
  }

  #end(fault: LocalFault, detail: string): void {
    this.#settle({ fault, detail });
    this.#controller?.abort(new Error(detail));
  }

  /** `stopNew` ends only unsent requests. */
  #stop(): void {
    if (this.#controller === null) {
      this.#end("CLOSING", "");
    } else if (this.signals.abort.stopped) {
      this.#end("STOPPED_WAITING", "");
    }
  }

  #late(): void {
    const ms = this.limits.answerTimeout;
    if (this.#controller === null) {
      this.#end("CONNECT_TIMEOUT", say("service.late.connection"));
    } else if (this.#body.waitsForSink) {
      this.#end("FILE_UNWRITABLE", say("service.late.disk", { ms }));
    } else {
      const moves = this.transfer.limit !== undefined || isSource(this.request.body);
      this.#end("NO_ANSWER", say(moves ? "service.late.transfer" : "service.late.answer", { ms }));
    }
  }

  /** Sends nothing if the source cannot be opened: the client writes the head with the first piece of the body. */
  async *#follow(source: ByteSource): AsyncGenerator<Uint8Array> {
    let open: OpenSource | null = null;
    try {
      open = await source.open();
      let moved = 0;
      for await (const piece of open.pieces) {
        yield piece;
        moved += piece.length;
        this.#deadline?.progress(piece.length);
        this.transfer.progress?.(moved, source.length);
      }
      this.#deadline?.restart(this.limits.answerTimeout + timeInBuffers(source.length));
    } catch (error) {
      const { fault, detail } = transferFault(error);
      this.#end(fault, detail);
      throw error;
    } finally {
      await open?.close();
    }
  }
}

/**
 * Sends one request once, without redirects, and never throws.
 * The result distinguishes requests with and without a ready connection.
 */
export function startExchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  limits: ExchangeLimits,
  signals: CancelSignals,
  transfer: Transfer,
  waiter: Exchanged,
): void {
  if (signals.stopNew.stopped || signals.abort.stopped) {
    waiter.exchanged({ fault: "CLOSING", detail: "" });
  } else {
    new Exchanging(request, limits, signals, transfer, waiter).dispatch(dispatcher);
  }
}

export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  limits: ExchangeLimits,
  signals: CancelSignals,
): Promise<Exchange> {
  return new Promise((resolve) => {
    startExchange(dispatcher, request, limits, signals, {}, { exchanged: resolve });
  });
}
