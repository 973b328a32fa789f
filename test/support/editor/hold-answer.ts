import type { Page, Route } from "playwright-core";
import { waitFor } from "../wait-for";

/** Requests that are under way, and their answers, which do not come before they are let go. */
export interface HeldAnswer {
  /** How many requests there were. */
  readonly asked: () => number;
  /** Resolves when the runtime has given the first answer that is awaited. */
  readonly answered: Promise<void>;
  /** Touches no further requests; those that are held stay so. */
  readonly letPass: () => void;
  /** Lets the page have the answers, and those of all further requests; resolves when it has those that were held. */
  readonly release: () => Promise<void>;
}

/**
 * Holds answers back on their way to the page.
 * @param most requests of which the answers are held; others are not touched
 * @param isAwaited whether an answer is the one that the test waits for; the first one without it
 */
export async function holdAnswer(
  page: Page,
  url: string | RegExp,
  most = 1,
  isAwaited?: (body: unknown) => boolean,
): Promise<HeldAnswer> {
  let asked = 0;
  let isOver = false;
  let go = (): void => {};
  let known = (): void => {};
  let arrived = 0;
  const released = new Promise<void>((resolve) => {
    go = resolve;
  });
  const answered = new Promise<void>((resolve) => {
    known = resolve;
  });
  const hold = async (route: Route): Promise<void> => {
    if (isOver) return route.continue();
    asked++;
    const response = await route.fetch();
    if (isAwaited === undefined || isAwaited(await response.json())) known();
    await released;
    await route.fulfill({ response });
    // The page hears of an answer, and acts on it, before it does what it is asked for next.
    await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
    arrived++;
  };
  await page.route(url, hold, { times: most });
  return {
    asked: () => asked,
    answered,
    letPass: () => {
      isOver = true;
    },
    release: async () => {
      isOver = true;
      go();
      await waitFor("the page to have the answers", () => arrived === asked);
      await page.unroute(url, hold);
    },
  };
}
