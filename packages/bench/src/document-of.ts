/** Writes technical documentation of about this many bytes: headings, paragraphs, lists, code and tables. */
export function documentOf(size: number): string {
  let text = "";
  for (let n = 1; text.length < size; n += 1) {
    const words = `Step ${n} copies ${n * 7} files to server ${n % 13} and waits until the queue of region ${n % 5} is empty. `;
    text += `## Step ${n}\n\n${words.repeat(4)}\n\n- Check *disk ${n}*.\n- Read [the notes](https://example.com/${n}).\n\n`;
    text += `\`\`\`typescript\nconst step${n} = await run({ name: "step-${n}", retries: ${n % 4} });\n\`\`\`\n\n`;
    if (n % 5 === 0) text += `| Region | Files |\n| --- | ---: |\n| ${n} | ${n * 7} |\n| ${n + 1} | ${n * 9} |\n\n`;
  }
  return text.slice(0, size);
}
