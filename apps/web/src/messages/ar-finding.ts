import type { enFinding } from "./en-finding.ts";
import { isolated } from "./isolated.ts";
import { plural } from "./plural.ts";

const count = plural("ar");

/** The words of search, of quick open and of keys in Arabic. */
export const arFinding: typeof enFinding = {
  searchLabel: "كلمات البحث",
  searchPrompt: "ابحث في العناوين والنصوص والوسوم. ضع العبارة بين علامتي اقتباس؛ وعلامة الناقص تستبعد كلمة.",
  searchEmpty: (query) => `لا نتائج عن «${query}».`,
  searchResults: (n) =>
    count(n, {
      zero: "لا نتائج",
      one: "نتيجة واحدة",
      two: "نتيجتان",
      few: "# نتائج",
      many: "# نتيجة",
      other: "# نتيجة",
    }),
  searchResultsAtLeast: (n) =>
    count(n, {
      zero: "نتيجة واحدة على الأقل",
      one: "أكثر من نتيجة واحدة",
      two: "أكثر من نتيجتين",
      few: "أكثر من # نتائج",
      many: "أكثر من # نتيجة",
      other: "أكثر من # نتيجة",
    }),

  quickOpen: "الفتح السريع",
  quickOpenPrompt: "افتح مستندًا أو نفّذ أمرًا",
  goTo: "انتقل إلى",
  goToHome: "انتقل إلى الرئيسية",
  goToSearch: "انتقل إلى البحث",
  goToCollection: (name) => `انتقل إلى ${isolated(name)}`,
  themeCommand: (name) => `المظهر: ${name}`,
  commands: "الأوامر",
  commandsNone: "لا يوجد أمر بهذا الاسم.",
  createTitled: (title) => `أنشئ مستند «${isolated(title)}»`,
  foundInText: "في النص",
  searchFor: (query) => `ابحث في كل شيء عن «${query}»`,

  shortcuts: "اختصارات لوحة المفاتيح",

  help: "المساعدة والاختصارات",
  close: "أغلق",
  toggleNavigation: "أظهر التنقل أو أخفه",
  hideNavigation: "أخفِ التنقل",
  showNavigation: "أظهر التنقل",
  nextRegion: "الجزء التالي من الصفحة",
  previousRegion: "الجزء السابق من الصفحة",
  closeLayer: "أغلق القائمة أو النافذة الأمامية",
  openTreeRow: "أغلق صفًا في الشجرة أو افتحه",
  toggleStar: "ميّز بنجمة أو أزل النجمة",
  findInPage: "ابحث في الصفحة",
  saveNow: "احفظ الآن",
  goToDrafts: "انتقل إلى المسودات",
  goToTrash: "انتقل إلى سلة المهملات",
  goToSettings: "انتقل إلى الإعدادات",
  keysAnywhere: "في كل مكان",
  keysReading: "في صفحة مستند",
  keysWriting: "أثناء الكتابة",
  keysText: "في نص المحرر",
  keysThen: "ثم",
  keysOr: "أو",
  singleKeys: "اختصارات من مفتاح واحد",
  singleKeysHelp:
    "مثل N، وG ثم H. تعمل خارج الحقول. عطّلها إذا فعلت المفاتيح ما لم تقصده، أو إذا كنت تستخدم الإدخال الصوتي. تبقى الاختصارات الأخرى تعمل.",
  helpFinding: "ابحث عن شيء",
  helpQuickOpen: "يفتح الفتح السريع، بالمفتاحين Ctrl+K أو ⌘K، مستندًا بكلمات من عنوانه أو من نصه. اكتب > للأوامر.",
  helpPrograms: "للبرامج والمساعدين",
  helpApi: "تقرأ البرامج المستندات نفسها وتكتبها عبر واجهة REST البرمجية.",

  searchFilters: "عوامل التصفية",
  searchInCollection: "المجموعة",
  searchWithTag: "الوسم",
  searchWithStatus: "الحالة",
  anyCollection: "كل المجموعات",
  anyTag: "كل الوسوم",
  anyStatus: "المسودات والمنشورة",
  onlyDrafts: "المسودات",
  onlyPublished: "المنشورة",
  onlyArchived: "المؤرشفة",
  collectionNotFound: "المجموعة غير موجودة",
  clearFilters: "امسح عوامل التصفية",
  searchSimilar: "لا شيء يطابق ما كتبته تمامًا. في هذه النتائج كلمات مشابهة.",
  searchEmptyFiltered: (query) => `لا نتائج عن «${query}» بعوامل التصفية هذه.`,
  searchEmptyHelp: "راجع الإملاء، أو استخدم كلمات أقل، أو اكتب بداية الكلمة الطويلة فقط.",
};
