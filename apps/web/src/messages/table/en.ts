/** The words of what is done with rows and columns in English. */
export const en = {
  row: "Row",
  column: "Column",
  rowMenu: "Menu of the row",
  columnMenu: "Menu of the column",
  rowAbove: "Insert a row above",
  rowBelow: "Insert a row below",
  rowUp: "Move the row up",
  rowDown: "Move the row down",
  rowDelete: "Delete the row",
  columnBefore: "Insert a column before",
  columnAfter: "Insert a column after",
  columnLeft: "Move the column left",
  columnRight: "Move the column right",
  columnDelete: "Delete the column",
  alignment: "Alignment of the column",
  alignNone: "As its text",
  alignLeft: "Left",
  alignCenter: "Centered",
  alignRight: "Right",
  tableDelete: "Delete the table",
};

export type TableWords = { readonly [Name in keyof typeof en]: string };
