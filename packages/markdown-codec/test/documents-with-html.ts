import fc from "fast-check";

/** What `decorated` chooses by. */
export const choices = fc.array(fc.nat(60), { minLength: 1, maxLength: 20 });

/** Lines of HTML and Markdown. */
export const pieces = fc.array(
  fc.constantFrom(
    "<table>\n<tr>\n<td>",
    '<table>\n<tr>\n<th colspan="2">',
    "</td>\n<td>",
    "</td>\n</tr>\n<tr>\n<td>",
    '</th>\n<td align="center">',
    "</td>\n</tr>\n</table>",
    '<div align="center">',
    "</div>",
    "a",
    "# b",
    "- c\n- d",
    "&nbsp;",
    "| a |\n| - |",
    "[^1]: a",
    "[a]: /b",
    "<details>",
    "</details>",
    '<img src="/a" alt="b" width="1">',
    'a <img src="/a" height="5%"> [a]',
    "```\n</td>",
    '<u></u><img src="/a" alt="b" width="1">',
    '- <img src="/a" alt="b" width="1">',
  ),
  { minLength: 1, maxLength: 14 },
);
