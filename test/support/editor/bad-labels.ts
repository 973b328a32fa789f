/** Runs in the page: labels of the open dialog that take two lines, are cut, or reach into what stands beside them. */
export const BAD_LABELS = `[...document.querySelectorAll(".messaging-dialog .form-row:not(.messaging-check) > label")]
  .filter((label) => label.offsetParent !== null)
  .filter((label) => {
    const range = document.createRange();
    range.selectNodeContents(label);
    const text = range.getBoundingClientRect();
    const next = label.nextElementSibling?.getBoundingClientRect();
    return text.height > 30 || label.scrollWidth > label.clientWidth || (next && next.width > 0 && next.top < text.bottom && next.left < text.right - 1 && next.right > text.left)
      || (next && next.width > 0 && next.top >= label.getBoundingClientRect().bottom);
  })
  .map((label) => label.innerText.trim())`;
