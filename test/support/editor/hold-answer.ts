import type { Page } from "playwright-core";
import { waitFor } from "../wait-for";

/** Requests whose answers are held back on their way to the page. */
export interface HeldAnswer {
  readonly asked: () => number;
  /** Resolves when the runtime has answered the first request. */
  readonly answered: Promise<void>;
  /** Gives the page its answers, and resolves when the page has acted on them. */
  readonly release: () => Promise<void>;
}

/** @param most requests whose answers are held; others are not touched */
export async function holdAnswer(page: Page, url: string, most = 1): Promise<HeldAnswer> {
  let [asked, arrived] = [0, 0];
  let go = (): void => {};
  let known = (): void => {};
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
      // The page acts on an answer before it does what it is asked for next.
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
      await page.unroute(url);
    },
  };
}
