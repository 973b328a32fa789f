import type { IncomingMessage } from "node:http";
import type { RefusalReason } from "./gates/refusals";

/** Header of self-test requests. */
export const SELF_TEST_HEADER = "x-messaging-self-test";

/** Receives the result of an expected self-test. */
type Tell = (reason: RefusalReason | "passed" | "not-running") => void;

/** The self-tests that a receiver expects, by their tokens. */
export class SelfTestExpectations {
  readonly #expected = new Map<string, Tell>();

  /**
   * Expects a request with this token in its self-test header. `tell` is called at most once, with the result.
   * @returns a function that ends the expectation
   */
  expect(token: string, tell: Tell): () => void {
    this.#expected.set(token, tell);
    return () => this.#expected.delete(token);
  }

  /** Ends the expectation of a request. @returns where to tell its result; undefined for any other request */
  take(req: IncomingMessage): Tell | undefined {
    const token = req.headers[SELF_TEST_HEADER];
    const tell = typeof token === "string" ? this.#expected.get(token) : undefined;
    if (tell) {
      this.#expected.delete(String(token));
    }
    return tell;
  }
}
