const sections = [
  (n: number) => `## Section ${n}: what the team agreed\n`,
  (n: number) =>
    `The **release** of week ${n} goes out on *Thursday*; see the [plan](https://wiki.example.com/plans/${n}) and ` +
    `run \`pnpm test --run ${n}\` first. Nothing else changes for readers, and ~~the old page~~ its successor says why.\n`,
  (n: number) =>
    `- first point about number ${n}\n- second point with **bold** words\n  - nested, with \`code\`\n- third point\n`,
  () => "1. open the editor\n2. write the page\n3. ask for a review\n",
  (n: number) => `> A quotation of the minutes, item ${n}, which was *long* enough to fill a line of its own.\n`,
  (n: number) =>
    `\`\`\`ts\nexport function step${n}(input: string): number {\n  return input.length * ${n};\n}\n\`\`\`\n`,
  (n: number) =>
    `| Name | Value | Note |\n| --- | ---: | --- |\n| one | ${n} | plain |\n| two | ${n * 2} | *italic* |\n`,
  (n: number) => `- [x] decided in meeting ${n}\n- [ ] announced to everyone\n`,
  () => "![A diagram of the parts](https://wiki.example.com/files/diagram.png)\n",
  (n: number) =>
    `Plain prose follows without any markup at all, only words and full stops. Paragraph ${n} ends here.\n`,
];

/** A page as a team writes one, of at least `bytes` bytes, in the GFM that every codec of the bench knows. */
export function page(bytes: number): string {
  const parts: string[] = ["# The page\n"];
  for (let size = 0, index = 0; size < bytes; index += 1) {
    const part = sections[index % sections.length]?.(index) ?? "";
    parts.push(part);
    size += part.length + 1;
  }
  return parts.join("\n");
}
