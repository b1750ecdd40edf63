import type { enCollections } from "./en-collections.ts";
import { isolated } from "./isolated.ts";
import { plural } from "./plural.ts";

const count = plural("ar");

/** The words of the page of a collection, of files and of first use in Arabic. */
export const arCollections: typeof enCollections = {
  deleteFile: "احذف",
  deleteFileNamed: (name) => `احذف ${isolated(name)}`,
  deleteFileTitle: (name) => `أتريد حذف «${isolated(name)}»؟`,
  deleteFileText:
    "يتوقف عنوانه عن العمل للجميع. تحتفظ المستندات التي تعرضه أو ترتبط به بنصها، وتعرضه مفقودًا. لا يمكن التراجع عن ذلك.",

  collectionActions: (name) => `إجراءات ${isolated(name)}`,
  sortBy: "الترتيب",
  sortOrder: "الترتيب الخاص",
  sortTitle: "العنوان",
  sortUpdated: "آخر تغيير",
  newCollection: "مجموعة جديدة",
  editCollection: "عدّل المجموعة",
  editCollectionTitle: "تعديل المجموعة",
  collectionName: "الاسم",
  collectionIcon: "رمز تعبيري",
  collectionDescription: "الوصف",
  collectionColor: "اللون",
  manageAccess: "من يملك الوصول",
  accessTitle: (name) => `من يملك الوصول إلى ${isolated(name)}`,
  accessEverybody: "كل من في الفريق",
  placeReaders: (collection, names) => `يقرأ ${isolated(collection)}: ${names}.`,
  placeReadersNone: (collection) => `لا يقرأ ${isolated(collection)} حتى الآن سوى المديرين.`,
  furtherReaders: (further) => count(further, { one: "واحد آخر", two: "اثنان آخران", few: "# آخرون", other: "# آخر" }),
  accessNone: "بلا وصول",
  accessRead: "يقرأ",
  accessWrite: "يكتب",
  accessManage: "يدير",
  accessOf: (name) => `وصول ${isolated(name)}`,
  accessRemove: (name) => `أزل وصول ${isolated(name)}`,
  accessAdd: "أضف شخصًا أو مجموعة",
  accessAddHint: "اكتب اسمًا.",
  accessAddEmpty: "لا أحد آخر بهذا الاسم.",
  accessHint: "يُعتمد الأعلى من هذه. لا تظهر المسودات إلا لمن يكتب.",
  group: "مجموعة",
  person: "شخص",
  exportMarkdown: "صدّر بصيغة Markdown ‏(ZIP)",
  exportHtml: "صدّر بصيغة HTML ‏(ZIP)",
  archiveCollection: "أرشف المجموعة",
  collectionArchived: (name) => `${isolated(name)} ومستنداتها في الأرشيف الآن.`,
  deleteCollection: "احذف المجموعة",
  deleteCollectionTitle: (name) => `أتريد حذف «${isolated(name)}»؟`,
  deleteCollectionText:
    "تذهب مستنداتها إلى سلة المهملات، ويمكن استعادة كل منها في مجموعة أخرى. أما المجموعة نفسها ووصفها وقائمة من يملك الوصول فلا يمكن استرجاعها.",
  collectionDeleted: (name) => `حُذفت ${isolated(name)}.`,
  collectionEmptyReader: "لا مستندات في هذه المجموعة بعد. يضيف أولها من يكتب فيها.",

  homeWelcome: "أهلًا بك في قاعدة معرفة فريقك.",
  homeFirst: "المستندات في مجموعات تجدها في التنقل. يظهر هنا ما تقرؤه أو تميّزه أو تكتبه، وما يغيّره الآخرون.",
  homeImport: "اجلب من Outline أو Notion أو Confluence أو Obsidian أو Markdown",

  askOwner: "إن كنت تحتاج إلى هذا، فاطلبه من أحد مديري فريقك، وأرسل إليه عنوان هذه الصفحة.",
  copyAddress: "انسخ العنوان",
  administrators: (names) => `مديرو فريقك: ${names}.`,
  copyAddressByHand: (keys) => `لم يسمح متصفحك بالنسخ. العنوان محدد: اضغط ${isolated(keys)}.`,

  pressCopyKeys: (keys) => `اضغط ${isolated(keys)}`,
  linkNotCopied: (address) => `لم يسمح متصفحك بالنسخ. العنوان هو ${isolated(address)}`,
  mineNotCopied: "لم يسمح متصفحك بالنسخ، فبقي نصك في مكانه. انسخه بنفسك أولًا.",

  restored: (title) => `عاد ${isolated(title)} إلى مكانه.`,
  openRestored: "افتحه",

  treeMore: "مستندات أخرى",
};
