import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { call } from "../api/call.ts";
import { useWords } from "../app/words.tsx";
import dialog from "../parts/dialog.module.css";
import type { DialogProps } from "./dialog-props.ts";
import styles from "./emoji-dialog.module.css";
import { FormDialog } from "./form-dialog.tsx";

// One for each kind of page that teams write; every other emoji is typed or pasted.
const common =
  "📄 📝 📋 📌 📎 📅 📊 📈 🗂️ 🗃️ 📚 📖 🎯 🚀 🛠️ ⚙️ 🔧 🔒 🔑 🧪 🧭 🗺️ 💡 ❓ ❗ ✅ ⚠️ 🚨 🐛 ♻️ 💬 📣 📦 🧩 🖥️ 📱 🌐 ☁️ 💾 🤖 👋 👥 🤝 🎓 🎉 🏠 🏢 ✈️ 💰 🧾 ⚖️ ❤️ ⭐ 🔥 🌱 ☕";

/** Asks for the emoji before a document's title. */
export function EmojiDialog({ target, onClose }: DialogProps): ReactElement {
  const { messages } = useWords();
  const queries = useQueryClient();
  const [emoji, setEmoji] = useState(target.emoji ?? "");
  const save = async (): Promise<void> => {
    const chosen = emoji.trim();
    await call("documents.update", { id: target.id, emoji: chosen === "" ? null : chosen, return: "minimal" });
    await queries.invalidateQueries();
  };
  return (
    <FormDialog title={messages.emojiTitle} submitLabel={messages.save} onSubmit={save} onClose={onClose}>
      <label className={dialog.field}>
        {messages.emojiField}
        {/* biome-ignore lint/a11y/noAutofocus: the dialog asks for this one thing. */}
        <input value={emoji} maxLength={64} onChange={(event) => setEmoji(event.target.value)} autoFocus />
      </label>
      <fieldset className={styles.grid}>
        <legend className="visually-hidden">{messages.emojiChoices}</legend>
        {common.split(" ").map((each) => (
          <button key={each} type="button" aria-pressed={each === emoji} onClick={() => setEmoji(each)}>
            {each}
          </button>
        ))}
      </fieldset>
      {emoji !== "" && (
        <div>
          <button type="button" className="button" onClick={() => setEmoji("")}>
            {messages.emojiRemove}
          </button>
        </div>
      )}
    </FormDialog>
  );
}
