import type { Page } from "playwright-core";

/**
 * Makes the sidebar as narrow as Node-RED lets it be, and looks for what does not fit.
 * @param view selector of the part of the sidebar to look at
 * @param whole selector of elements whose text must not be cut off either
 * @returns class and text of each element that does not fit
 */
export async function tooWideWhenNarrow(
  page: Page,
  view: string,
  whole = ":not(*)",
): Promise<readonly string[]> {
  await page.addStyleTag({ content: ".messaging-sidebar { width: 170px; }" });
  return page.evaluate<readonly string[]>(`(() => {
    const { right } = document.querySelector(".messaging-sidebar").getBoundingClientRect();
    const isCut = (one) => one.matches(${JSON.stringify(whole)}) && one.scrollWidth > one.clientWidth + 1;
    return [...document.querySelectorAll(${JSON.stringify(view)})]
      .flatMap((each) => [each, ...each.querySelectorAll("*")])
      .filter((one) => one.getBoundingClientRect().right > right + 0.5 || isCut(one))
      .map((one) => one.className + ": " + one.textContent);
  })()`);
}
