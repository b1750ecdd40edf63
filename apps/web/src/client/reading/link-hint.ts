import type { QueryClient } from "@tanstack/react-query";
import type { Messages } from "../../messages/index.ts";
import { isolated } from "../../messages/isolated.ts";
import { type ParentPlace, placeQuery } from "../actions/place-query.ts";
import { ownDocument } from "./own-document.ts";

/** A link has the mouse, the focus or the caret this long before its document is shown. */
const pauseMs = 300;
/** The mouse may be on its way from the link to what is shown this long. */
const leaveMs = 200;
/** An answer is good for this long, so that a link asks at most once in it. */
const freshMs = 5 * 60_000;
const gapPx = 4;

/**
 * Shows the title and the place of the document to which a link of a text leads, beside the link that has the mouse, the keyboard's
 * focus, or the caret of the editor. It stays under the mouse, and Escape takes it away (WCAG 1.4.13). A document that the reader may not
 * see has none, as one that does not exist.
 */
export class LinkHint {
  readonly #queries: QueryClient;
  readonly #messages: Messages;
  readonly #element = document.createElement("div");
  #link: HTMLAnchorElement | null = null;
  /** The link whose document is awaited or shown. */
  #awaited: HTMLAnchorElement | null = null;
  #caretLink: Element | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(queries: QueryClient, messages: Messages) {
    this.#queries = queries;
    this.#messages = messages;
    this.#element.className = "link-hint";
    this.#element.id = "kb-link-hint";
    this.#element.role = "tooltip";
    this.#element.popover = "manual";
  }

  /** Follows the mouse, the focus and the caret from an event on. */
  start(first: Event): void {
    const follow = (event: Event): void => this.#followEvent(event);
    const hide = (): void => this.#hide();
    for (const type of ["pointerover", "focusin"]) document.addEventListener(type, follow);
    for (const type of ["beforeinput", "pointerdown"]) document.addEventListener(type, hide, { capture: true });
    document.addEventListener("selectionchange", () => this.#followCaret());
    document.addEventListener("focusout", () => this.#follow(null));
    document.addEventListener("keydown", ({ key }) => key === "Escape" && hide(), { capture: true });
    document.addEventListener("scroll", () => this.#place(), { capture: true, passive: true });
    follow(first);
  }

  #followEvent(event: Event): void {
    const { target } = event;
    const isFollowed =
      event instanceof PointerEvent
        ? event.pointerType === "mouse"
        : target instanceof Element && target.matches(":focus-visible");
    if (isFollowed) this.#follow(target);
  }

  #followCaret(): void {
    const selection = getSelection();
    const node = selection?.isCollapsed === true ? selection.anchorNode : null;
    const link = node?.parentElement?.closest(".editor a") ?? null;
    if (link === this.#caretLink) return;
    this.#caretLink = link;
    this.#follow(link);
  }

  #follow(target: EventTarget | null): void {
    const element = target instanceof Element ? target : null;
    const isOver = element !== null && this.#element.contains(element);
    const link = isOver ? this.#link : (element?.closest<HTMLAnchorElement>(".prose a[href]") ?? null);
    const isShown = this.#element.isConnected;
    if (link === this.#link) {
      if (isShown) clearTimeout(this.#timer);
      return;
    }
    clearTimeout(this.#timer);
    if (link === null) {
      if (isShown) this.#timer = setTimeout(() => this.#leave(), leaveMs);
      else this.#leave();
      return;
    }
    this.#hide();
    this.#link = link;
    this.#awaited = link;
    this.#timer = setTimeout(() => void this.#show(link), pauseMs);
  }

  async #show(link: HTMLAnchorElement): Promise<void> {
    const own = ownDocument(link.getAttribute("href") ?? "");
    if (own === null) return;
    const query = { ...placeQuery(own.id), staleTime: freshMs, gcTime: freshMs, retry: false };
    const place = await this.#queries.fetchQuery(query).catch(() => null);
    if (place === null || link !== this.#awaited || !link.isConnected) return;
    this.#element.replaceChildren(...partsOf(place, this.#messages));
    // Within a landmark, as everything that is read.
    (link.closest("main") ?? document.body).append(this.#element);
    this.#element.showPopover();
    this.#place();
    // The editor would take a change of its elements for writing.
    if (link.closest(".editor") === null) link.setAttribute("aria-describedby", this.#element.id);
  }

  #leave(): void {
    this.#hide();
    this.#link = null;
  }

  #place(): void {
    if (this.#link !== null && this.#element.isConnected) placeBelow(this.#element, this.#link);
  }

  /** The link stays the last one, so that it does not show its document again before another one was followed. */
  #hide(): void {
    clearTimeout(this.#timer);
    this.#awaited = null;
    this.#element.remove();
    if (this.#link?.getAttribute("aria-describedby") === this.#element.id)
      this.#link.removeAttribute("aria-describedby");
  }
}

function partsOf({ title, emoji, collection, path }: ParentPlace, { untitled }: Messages): HTMLElement[] {
  const name = document.createElement("strong");
  name.dir = "auto";
  name.textContent = [emoji, title || untitled].filter(Boolean).join(" ");
  const names = [...(collection === null ? [] : [collection.name]), ...path.map((each) => each.title || untitled)];
  // The path has the direction of the page, and each name its own.
  const places = document.createElement("span");
  places.textContent = names.map(isolated).join(" / ");
  return [name, places];
}

/** Puts an element below the first line of a link, or above it where there is no room. */
function placeBelow(element: HTMLElement, link: Element): void {
  const [line = link.getBoundingClientRect()] = link.getClientRects();
  const { offsetWidth: width, offsetHeight: height } = element;
  const wanted = getComputedStyle(link).direction === "rtl" ? line.right - width : line.left;
  const isBelow = line.bottom + gapPx + height <= innerHeight || line.top < height + gapPx;
  element.style.left = `${Math.max(gapPx, Math.min(wanted, document.documentElement.clientWidth - width - gapPx))}px`;
  element.style.top = `${isBelow ? line.bottom + gapPx : line.top - gapPx - height}px`;
}
