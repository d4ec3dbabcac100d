/** The characters of a text message that cost least (GSM 03.38). */
export const gsm = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/

const emoji =
  /[ \u00a0]?(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0f|\u20e3)+/gu

/** The same text with plain quotes, dashes, dots and spaces; its letters and pictures stay. */
export const plainMarks = (text: string): string =>
  text
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″]/g, '"')
    .replace(/[–—−]/g, '-')
    .replace(/…/g, '...')
    .replace(/[\u00a0\u202f]/g, ' ')

/**
 * The same text in characters that cost least: typographic quotes, dashes and dots become plain ones, letters lose accents that texts do not
 * have, emoji go. What has no plain form, as another script, stays.
 */
export const plainText = (text: string): string =>
  plainMarks(text)
    .replace(emoji, '')
    .replace(/\p{L}\p{M}*/gu, (letter) => {
      const bare = letter.normalize('NFD').replace(/\p{M}/gu, '')
      return gsm.test(letter)
        ? letter
        : gsm.test(letter.normalize('NFC'))
          ? letter.normalize('NFC')
          : gsm.test(bare)
            ? bare
            : letter
    })
    .trimStart()

const accents = /[áíóúÁÍÓÚ]/g
const bareOf: Readonly<Record<string, string>> = { á: 'a', í: 'i', ó: 'o', ú: 'u', Á: 'A', Í: 'I', Ó: 'O', Ú: 'U' }

/** The same words as a text that costs least: accents that make every part half as long are left off. */
export const asSms = (text: string): string => plainText(text).replace(accents, (letter) => bareOf[letter] ?? letter)

/** The beginning of a text on one line, cut between words and with an ellipsis where it is longer: an amount or a number never loses its end. */
export const cutAtWord = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  const cut = line.slice(0, most)
  const end = line[most] === ' ' ? most : cut.lastIndexOf(' ')
  // one word longer than the line: nothing else is left to show
  return `${(end > 0 ? cut.slice(0, end) : cut).replace(/[\s,;:.(]+$/, '')}…`
}
