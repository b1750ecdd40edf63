/** The rules that formulas need on a page. The reason of a fault has the quiet color of the page. They load nothing. */
export const formulaStyle = `div.math { overflow-x: auto; overflow-y: hidden; margin-block: 1em; text-align: center; }
math { direction: ltr; text-indent: 0; overflow-wrap: normal; }
math:not([display="block"]) { overflow: clip; overflow-clip-margin: 0.5em; }
.math-fault { color: var(--quiet, var(--soft)); }
.math-no-left { padding-left: 0; } .math-no-right { padding-right: 0; } .math-padded { padding: 0.3em; }
.math-top, .tml-overline { border-top: 0.06em solid; } .math-bottom, .tml-underline { border-bottom: 0.06em solid; }
.math-left { border-left: 0.06em solid; } .math-right { border-right: 0.06em solid; }
.tml-overline { padding-top: 0.1em; } .tml-underline { padding-bottom: 0.1em; }
.tml-fbox { padding: 3pt; border: 1px solid; }
.math-wide { width: 100%; } .math-half { width: 50%; } .tml-tag { white-space: nowrap; }
.tml-left { text-align: -webkit-left; } .tml-right { text-align: -webkit-right; }
.tml-jot > mtr > mtd { padding-block: 0.7ex; } .tml-small mtd { padding-block: 0.35ex; }
menclose, .menclose { position: relative; }
.tml-cancel { position: absolute; inset: 0; background: currentColor; print-color-adjust: exact; }
.upstrike { clip-path: polygon(0 100%, 0 calc(100% - 0.06em), calc(100% - 0.06em) 0, 100% 0, 100% 0.06em, 0.06em 100%); }
.downstrike { clip-path: polygon(0 0, 0.06em 0, 100% calc(100% - 0.06em), 100% 100%, calc(100% - 0.06em) 100%, 0 0.06em); }
.sout { clip-path: polygon(0 52%, 100% 52%, 100% 58%, 0 58%); }
.tml-xcancel { clip-path: polygon(0 0, 0.06em 0, 50% calc(50% - 0.04em), calc(100% - 0.06em) 0, 100% 0, 100% 0.06em,
  calc(50% + 0.04em) 50%, 100% calc(100% - 0.06em), 100% 100%, calc(100% - 0.06em) 100%, 50% calc(50% + 0.04em), 0.06em 100%,
  0 100%, 0 calc(100% - 0.06em), calc(50% - 0.04em) 50%, 0 0.06em); }
`;
