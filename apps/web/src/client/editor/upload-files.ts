import { NodeSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { loadMessages } from "../../messages/index.ts";
import type { InsertWords } from "../../messages/insert/index.ts";
import { loadInsertWords } from "../../messages/insert/index.ts";
import { failureText } from "../actions/failure-text.ts";
import { boot } from "../app/boot.ts";
import { notify } from "../app/notices.ts";
import { sizeText } from "../parts/file-row.ts";
import { composed } from "./composed.ts";
import { type FileKind, kindOfFile } from "./file-type.ts";
import { insertUpload, placeForFile } from "./insert-upload.ts";
import { newUuid } from "./new-uuid.ts";
import { sendFile } from "./send-file.ts";
import type { TrackedPlace } from "./tracked-places.ts";
import { type UploadActions, withUploads } from "./upload-state.ts";
import styles from "./uploads.module.css";

type UploadWords = InsertWords["uploads"];
type Checked = { readonly file: File; readonly kind: FileKind };

/** Uploads files to a place in the text, one after the other. Those that the service would refuse are said before. */
export async function uploadFiles(
  view: EditorView,
  files: readonly File[],
  place: TrackedPlace,
  actions: UploadActions,
): Promise<void> {
  const { uploads: words } = await loadInsertWords(boot().locale);
  const checked: Checked[] = [];
  for (const file of files) {
    const kind = await check(file, words);
    if (kind !== null) checked.push({ file, kind });
  }
  await composed(view);
  if (view.isDestroyed) return;
  const { doc } = view.state;
  const position = placeForFile(doc, place.now()?.from ?? doc.content.size);
  const all = checked.map((each) => new Upload(view, each, words, actions));
  for (const each of all) each.place(position);
  for (const [index, each] of all.entries()) await each.send(all.slice(index + 1).map(({ id }) => id));
}

/** Returns what a file is; null for one that cannot be uploaded, which is said. */
async function check(file: File, words: UploadWords): Promise<FileKind | null> {
  const refuse = (text: string): null => {
    notify({ text, isFailure: true });
    return null;
  };
  const { maxUploadSize } = boot().app.limits;
  if (maxUploadSize === null) return refuse(words.noStore);
  if (file.size > maxUploadSize) return refuse(words.tooLarge(file.name, sizeText(maxUploadSize, boot().locale)));
  if (file.size === 0) return refuse(words.empty(file.name));
  const kind = await kindOfFile(file).catch(() => null);
  return kind ?? refuse(words.wrongType(file.name));
}

/** One file on its way into the text. */
class Upload {
  readonly id = newUuid();
  readonly #view: EditorView;
  readonly #file: File;
  readonly #kind: FileKind;
  readonly #words: UploadWords;
  readonly #actions: UploadActions;
  readonly #element = document.createElement("div");
  readonly #bar = document.createElement("progress");
  #ending = new AbortController();
  #later: readonly string[] = [];
  /** The address of the file, once the service has it. */
  #url: string | undefined;

  constructor(view: EditorView, { file, kind }: Checked, words: UploadWords, actions: UploadActions) {
    this.#view = view;
    this.#file = file;
    this.#kind = kind;
    this.#words = words;
    this.#actions = actions;
    const name = document.createElement("span");
    name.dir = "auto";
    name.textContent = file.name;
    // The list beside the toolbar says the same, and has the buttons.
    this.#element.setAttribute("aria-hidden", "true");
    this.#element.className = styles.placed ?? "";
    this.#element.append(name, this.#bar);
  }

  /** Shows the file where it will be. */
  place(position: number): void {
    const placed = { id: this.id, position, element: this.#element };
    this.#view.dispatch(withUploads(this.#view.state.tr, (all) => [...all, placed]));
    this.#show(0);
  }

  /** Sends the file, and puts it in its place. `later` are the ids of those that follow it there. */
  async send(later = this.#later): Promise<void> {
    this.#later = later;
    if (this.#ending.signal.aborted) return;
    this.#show(0);
    try {
      this.#url ??= await sendFile(this.#file, {
        documentId: this.#actions.documentId,
        contentType: this.#kind.contentType,
        signal: this.#ending.signal,
        onProgress: (part) => this.#show(part),
      });
      await composed(this.#view);
      if (this.#ending.signal.aborted) return;
      const url = this.#url;
      const sent = { url, name: this.#file.name, isPicture: this.#kind.isPicture };
      if (!insertUpload(this.#view, this.id, sent, later)) throw new Error("The text may not be written any more");
      this.#actions.uploads.remove(this.id);
      this.#say(url);
    } catch (error) {
      if (!this.#ending.signal.aborted) await this.#fail(error);
    }
  }

  #say(url: string): void {
    const { describe, described, uploaded } = this.#words;
    const run = (): void => {
      if (selectPicture(this.#view, url)) this.#actions.editImage();
    };
    if (!this.#kind.isPicture) notify({ text: uploaded(this.#file.name) });
    else notify({ text: described(this.#file.name), action: { label: describe, run } });
  }

  #show(progress: number): void {
    if (this.#ending.signal.aborted) return;
    this.#bar.value = progress;
    this.#element.classList.remove(styles.failed ?? "");
    const text = this.#words.uploading(this.#file.name);
    this.#actions.uploads.put({ id: this.id, text, progress, isFailed: false, remove: () => void this.#remove() });
  }

  async #fail(error: unknown): Promise<void> {
    const reason = failureText(error, await loadMessages(boot().locale));
    if (this.#ending.signal.aborted) return;
    this.#element.classList.add(styles.failed ?? "");
    this.#actions.uploads.put({
      id: this.id,
      text: this.#words.failed(this.#file.name, reason),
      isFailed: true,
      retry: () => void this.send(),
      remove: () => void this.#remove(),
    });
  }

  async #remove(): Promise<void> {
    this.#ending.abort();
    this.#actions.uploads.remove(this.id);
    if (this.#view.isDestroyed) return;
    await composed(this.#view);
    if (this.#view.isDestroyed) return;
    this.#view.dispatch(withUploads(this.#view.state.tr, (all) => all.filter(({ id }) => id !== this.id)));
  }
}

/** Selects the picture with an address; returns whether the text has it. */
function selectPicture(view: EditorView, url: string): boolean {
  if (view.isDestroyed) return false;
  let at: number | undefined;
  view.state.doc.descendants(({ type, attrs }, position) => {
    if (type.name === "image" && attrs.src === url) at = position;
    return at === undefined;
  });
  if (at === undefined) return false;
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, at)).scrollIntoView());
  return true;
}
