/** At most so many characters, and never half an emoji: a database refuses one. */
export const clip = (text: string, max: number): string => {
  const cut = text.slice(0, max)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/**
 * What came from outside as it can be kept: without signs that nobody sees (a NUL among them) and without halves of emoji, clipped. Lines and tabs stay.
 * @param max characters that are kept; what is much longer is not even looked at
 */
export const wireText = (text: string, max: number): string =>
  clip(
    text
      .slice(0, max * 4)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g, '')
      .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, ''),
    max,
  )
