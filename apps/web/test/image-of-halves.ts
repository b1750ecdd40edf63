import type { Page } from "playwright-core";

/** An image of 400 × 200 pixels, whose left half is red and whose right half is blue. */
export const halves = (page: Page): Promise<Buffer> =>
  page
    .evaluate(() => {
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width: 400, height: 200 });
      const context = canvas.getContext("2d");
      if (context === null) throw new Error("no canvas");
      context.fillStyle = "#f00";
      context.fillRect(0, 0, 200, 200);
      context.fillStyle = "#00f";
      context.fillRect(200, 0, 200, 200);
      return canvas.toDataURL("image/jpeg").split(",")[1] ?? "";
    })
    .then((text) => Buffer.from(text, "base64"));
