const words = (list: string): readonly string[] => list.split(" ");

/**
 * The pieces from which hostile texts are made: every delimiter, every kind of whitespace, what looks like markup and
 * is none, and characters that are not what they seem.
 */
export const hostileAlphabet: readonly string[] = [
  ...words(
    "a b c Word ä 字 7 42 * ** *** _ __ ~ ~~ ~~~ ^ = == === + ++ ` `` ``` \\ ! [ ] ( ) < > & | # - : . , ; ? ' \"",
  ),
  ...words("1. 1) 10. - + * > # ## ###### --- *** ___ ``` ~~~ ==== : :- -: |-| | \\| {#x} {# } {.c} [ ] [x] [X]"),
  ...words(
    "[^1] [^1]: [^a] [^ ]: ]: ]( ](u) [a]: [a](u) ![ ![a](u) <u> </u> <strong> </strong> <sub> </sub> <mark> <br>",
  ),
  ...words(
    "<b> </i> <s> <div> <!-- --> <a@b.c> <http://x.y> <x:y> http://a.b/c_d www.a.b a@b.c &amp; &#32; &nbsp; &#12;",
  ),
  ...words(
    "&copy &copy; &#0; &#xD800; :b: :smile: :+1: :x 10:30:45 a:b:c C++ c++; snake_case a|b \\* \\[ \\\\ \\` \\< \\& \\~",
  ),
  ...words('javascript:x data:text/html, data:image/png;base64,A file:///x mailto:a@b <img src="data: <img'),
  ...words("😀 👩‍👩‍👧 🇩🇪 é e\u0301 — … ¬ € ﷽ \u200b \u200d \u00ad \u202e \ufffd \ue07e \u0085"),
  " ",
  " ",
  " ",
  "  ",
  "\t",
  "\n",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  "\n    ",
  "\n  ",
  "\n- ",
  "\n> ",
  "\n1. ",
  "\n# ",
  "\n| ",
  "\\\n",
  "  \n",
  "\u00a0",
  "\u2003",
  "\u3000",
  "\u1680",
  "\ufeff",
  "\u2028",
  "\u2029",
  "\u0000",
  "\u0001",
  "\u000b",
  "\u000c",
  "\u001f",
  "\u007f",
  "\ud800",
  "\udc00",
];
