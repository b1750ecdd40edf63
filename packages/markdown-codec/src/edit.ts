import { CodecError } from "./error.ts";
import type { DocJSON } from "./types.ts";

const work = () => new CodecError("UNSUPPORTED", "in work");
export function append(_doc: DocJSON, _fragment: DocJSON): DocJSON {
  throw work();
}
export function prepend(_doc: DocJSON, _fragment: DocJSON): DocJSON {
  throw work();
}
export function insertAfterHeading(_doc: DocJSON, _heading: string, _fragment: DocJSON): DocJSON {
  throw work();
}
export function replaceSection(_doc: DocJSON, _heading: string, _fragment: DocJSON): DocJSON {
  throw work();
}
export function replaceText(_doc: DocJSON, _oldText: string, _newText: string): DocJSON {
  throw work();
}
