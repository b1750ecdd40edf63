/** The width and height of a picture in pixels. */
export const pictureSize = 256;

/** The square of an image that becomes the picture: how much it is enlarged, and its place, from 0 to 1 in each direction. */
export type Crop = { readonly zoom: number; readonly across: number; readonly down: number };

/** The greatest enlargement. */
export const mostZoom = 4;

/** The enlargement at which the square has all of an image: what is beside it stays transparent. */
export const zoomOfWhole = ({ width, height }: ImageSize): number => Math.min(width, height) / Math.max(width, height);

type ImageSize = { readonly width: number; readonly height: number };

/** The square in the middle, as large as the image allows. */
export const middle: Crop = { zoom: 1, across: 0.5, down: 0.5 };

/** Returns the square in pixels of the image. */
export function squareOf(
  { width, height }: ImageSize,
  { zoom, across, down }: Crop,
): { readonly left: number; readonly top: number; readonly side: number } {
  const side = Math.min(width, height) / zoom;
  return { left: (width - side) * across, top: (height - side) * down, side };
}

/** Draws the square into the canvas. */
export function drawPicture(canvas: HTMLCanvasElement, image: ImageBitmap, crop: Crop): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const { left, top, side } = squareOf(image, crop);
  context.imageSmoothingQuality = "high";
  context.clearRect(0, 0, pictureSize, pictureSize);
  context.drawImage(image, left, top, side, side, 0, 0, pictureSize, pictureSize);
}

/** Returns what the canvas shows as an image file in Base64: WebP, or PNG where the browser writes no WebP. */
export async function writePicture(canvas: HTMLCanvasElement): Promise<string> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/webp", 0.9));
  if (blob === null) throw new Error("The browser wrote no image");
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
