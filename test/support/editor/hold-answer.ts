import type { Page } from "playwright-core";
import { waitFor } from "../wait-for";

/** Requests that are under way, and their answers, which do not come before they are let go. */
export interface HeldAnswer {
  /** How many requests there were. */
  readonly asked: () => number;
  /** Resolves when the runtime has answered the first one. */
  readonly answered: Promise<void>;
  /** Lets the page have the answers; resolves when it has those that were asked for. */
  readonly release: () => Promise<void>;
}

/** Holds answers back on their way to the page. @param most requests of which the answers are held; others are not touched */
export async function holdAnswer(page: Page, url: string | RegExp, most = 1): Promise<HeldAnswer> {
  let asked = 0;
  let go = (): void => {};
  let known = (): void => {};
  let arrived = 0;
  const released = new Promise<void>((resolve) => {
    go = resolve;
  });
  const answered = new Promise<void>((resolve) => {
    known = resolve;
  });
  await page.route(
    url,
    async (route) => {
      asked++;
      const response = await route.fetch();
      known();
      await released;
      await route.fulfill({ response });
      // The page hears of an answer, and acts on it, before it does what it is asked for next.
      await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
      arrived++;
    },
    { times: most },
  );
  return {
    asked: () => asked,
    answered,
    release: async () => {
      go();
      await waitFor("the page to have the answers", () => arrived === asked);
    },
  };
}
