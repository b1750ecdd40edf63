import type { ImportExplanationCode, ImportExplanations, UnreadableCause } from "@kb/core";
import { isolated } from "../../isolated.ts";
import { plural } from "../../plural.ts";

const count = plural("ar");
const figure = (number: number): string => count(number, { other: "#" });
const files = (number: number): string => count(number, { other: "# ملف" });

const causes: Readonly<Record<UnreadableCause, string>> = {
  permission: "الإذن مفقود",
  missing: "غير موجود",
  circle: "روابطه تدور في حلقة",
  is_folder: "هو مجلد",
  not_in_folder: "ليس في مجلد",
  name_too_long: "اسمه أطول من اللازم",
  disk: "في القرص خطأ",
  unknown: "لم يذكر النظام السبب",
};

type Sentences = { readonly [Code in ImportExplanationCode]: (values: ImportExplanations[Code]) => string };

/** جمل الاستيراد، لكل رمز منها. */
export const importExplanations: Sentences = {
  not_text: () => "ليس نصا بترميز UTF-8",
  too_large: ({ limit }) => `أكبر من اللازم: للمستند ${figure(limit)} حرف على الأكثر`,
  inline_image: ({ line }) => `يعرض صورة بعنوان data:${line === 0 ? "" : ` (السطر ${figure(line)})`}. احفظها ملفا.`,
  too_many_elements: ({ limit }) => `في HTML أكثر من ${figure(limit)} عنصر`,
  html_too_deep: ({ limit }) => `عناصر HTML متداخلة أكثر من ${figure(limit)} مستوى`,
  text_too_deep: () => "أجزاء النص متداخلة أعمق من اللازم",
  text_too_complex: () => "النص أكبر أو أعقد مما يتسع له مستند",
  text_invalid: ({ message }) => `النص غير صالح: ${isolated(message)}`,
  text_refused: ({ message }) => `لم يقبله المستند: ${isolated(message)}`,
  program_folder: () => "مجلد لبرامج مثبتة",
  link_leads_out: () => "رابط رمزي يؤدي إلى خارج المجلد",
  link_to_folder: () => "رابط رمزي إلى مجلد",
  link: () => "رابط رمزي",
  unreadable: ({ cause }) => `لا يمكن قراءته: ${causes[cause]}`,
  no_file_name: () => "اسمه لا يصلح اسما لملف",
  encrypted: () => "مشفّر",
  compression: () => "طريقة ضغطه غير مدعومة",
  archives_too_deep: ({ limit }) => `تُفتح الأرشيفات المتداخلة إلى ${figure(limit)} مستويات على الأكثر`,
  inner_no_archive: () => "ليس أرشيف ZIP",
  same_name: () => "في الأرشيف ملف آخر بالاسم نفسه، وقد استُورد",
  folders_too_deep: ({ limit }) => `يقع في أكثر من ${figure(limit)} مجلد متداخل`,
  impossible_name: () => "اسمه غير ممكن على هذا الجهاز",
  damaged: () => "بياناته تالفة",
  title_cut: ({ limit }) => `قُصّ العنوان إلى ${figure(limit)} حرف`,
  emoji_omitted: ({ emoji }) => `حُذف الرمز ${isolated(`«${emoji}»`)} لأنه ليس رمزا تعبيريا واحدا`,
  tag_omitted: ({ tag }) => `حُذف الوسم ${isolated(`«${tag}»`)} لأن اسمه غير صالح`,
  tags_omitted: ({ limit, count: all }) => `بقيت الوسوم الأولى (${figure(limit)}) من ${figure(all)}`,
  date_omitted: () => "حُذف تاريخ إنشائه لأنه في المستقبل",
  front_matter_invalid: ({ message }) => `مقدمته ليست YAML صالحا وبقيت في النص: ${isolated(message)}`,
  rows_omitted: ({ limit, count: rows }) =>
    `${count(rows, { one: "تُرك صف واحد", two: "تُرك صفان", few: "تُركت # صفوف", many: "تُرك # صفا", other: "تُرك # صف" })}: للجدول ${figure(limit)} خلية على الأكثر`,
  led_out: ({ name }) => `فُكّ هنا لأن اسمه يؤدي إلى خارج الأرشيف: ${isolated(name)}`,
  name_shortened: ({ limit }) => `فُكّ باسم أقصر لأن أنظمة الملفات تقبل ${figure(limit)} بايت على الأكثر`,
  file_too_large: ({ limit }) => `لم يُرفق: فيه أكثر من ${figure(limit)} بايت`,
  file_unreadable: ({ cause }) => `لم يُرفق: ${causes[cause]}`,
  file_refused: ({ message }) => `لم يُرفق: ${isolated(message)}`,
  no_archive: ({ name }) => `${isolated(name)} ليس أرشيف ZIP سليما.`,
  too_many_files: ({ name, limit }) => `في ${isolated(name)} أكثر من ${files(limit)}.`,
  too_many_entries: ({ name, limit }) => `في ${isolated(name)} أكثر من ${figure(limit)} مدخل بلا محتوى.`,
  too_many_folders: ({ name, limit }) => `في ${isolated(name)} أكثر من ${figure(limit)} مجلد.`,
  unpacks_to_too_much: ({ name, megabytes }) => `يتجاوز ${isolated(name)} بعد فكه ${figure(megabytes)} ميغابايت.`,
  unpacks_out_of_proportion: ({ name, limit }) =>
    `يصير ${isolated(name)} بعد فكه أكبر من حجمه ${figure(limit)} مرة، ولا يفعل ذلك أي تصدير.`,
  part_too_large: ({ name, megabytes }) =>
    `في ${isolated(name)} أكثر من ${figure(megabytes)} ميغابايت. صدّر أقل في كل مرة.`,
  memory: ({ name, megabytes }) =>
    `يحتاج ${isolated(name)} إلى أكثر من ${figure(megabytes)} ميغابايت من الذاكرة، وهي ما يجوز للاستيراد هنا. قسّمه إلى ملفات أصغر.`,
  too_slow: () => "تستغرق قراءة الملف أطول من اللازم. قسّمه إلى ملفات أصغر.",
  crashed: () => "انتهى الاستيراد فجأة عدة مرات. قسّم ملفه إلى ملفات أصغر.",
  file_gone: () => "لم يعد الملف موجودا. ابدأ استيرادا جديدا به.",
  collection_gone: () => "لم تعد المجموعة موجودة.",
  user_gone: () => "لم يعد لصاحب هذا الاستيراد إذن بالكتابة.",
  quota: () => "امتلأت الحصة المتاحة للتخزين. احذف ما لا تحتاج إليه، أو اطلب من مشغّل الخدمة رفعها، ثم تابع الاستيراد.",
  no_database: () => "لم تستجب قاعدة البيانات. تابع الاستيراد حين تستجيب.",
  unexpected: () => "حدث خطأ ما. تابع الاستيراد.",
};
