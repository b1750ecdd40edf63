import { isolated } from "../../isolated.ts";
import type { SettingsWords } from "../en.ts";

/** كلمات صور الأشخاص. */
export const picture: SettingsWords["picture"] = {
  heading: "الصورة",
  help: "يراها أعضاء فريقك بجانب اسمك. من دونها يرون الأحرف الأولى من اسمك.",
  choose: "اختيار صورة",
  change: "تغيير الصورة",
  remove: "إزالة الصورة",
  removed: "أُزيلت صورتك.",
  saved: "حُفظت صورتك.",
  title: "صورتك",
  file: "ملف الصورة",
  fileHelp: "ملف PNG أو JPEG أو WebP أو GIF أو AVIF. لا يُرسل إلا المربع الذي تختاره، من دون مكان التقاط الصورة ووقته.",
  notAnImage: "لا يستطيع متصفحك عرض هذا الملف صورةً. اختر ملفًا آخر.",
  preview: "صورتك كما سيراها الآخرون",
  zoom: "التكبير",
  across: "من اليسار إلى اليمين",
  down: "من الأعلى إلى الأسفل",
  save: "حفظ الصورة",
  removeOf: (name) => `إزالة الصورة: ${isolated(name)}`,
  removeTitle: (name) => `إزالة صورة ${isolated(name)}؟`,
  removeText: "يرى الجميع بعد ذلك الأحرف الأولى من الاسم. ويمكن اختيار صورة أخرى.",
  removedOf: (name) => `أُزيلت صورة ${isolated(name)}.`,
};

const { file, notAnImage, zoom, across, down } = picture;

/** كلمات شعار الفريق. */
export const logo: SettingsWords["logo"] = {
  file,
  notAnImage,
  zoom,
  across,
  down,
  heading: "الشعار",
  help: "يظهر بجانب اسم الفريق أعلى كل صفحة. لا يراه إلا أعضاء فريقك.",
  choose: "اختيار شعار",
  change: "تغيير الشعار",
  remove: "إزالة الشعار",
  removed: "أُزيل الشعار.",
  saved: "حُفظ الشعار.",
  title: "شعار الفريق",
  fileHelp: "ملف PNG أو JPEG أو WebP أو GIF أو AVIF. لا يُرسل إلا المربع الذي تختاره. صغّر لإظهار شعار عريض كله.",
  preview: "الشعار كما سيراه الجميع",
  save: "حفظ الشعار",
};
