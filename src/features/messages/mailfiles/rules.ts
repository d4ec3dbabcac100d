/** So many files of one mail are kept. */
export const mostMailFiles = 10
/** What one of them weighs at most, in bytes. */
export const mostMailFileBytes = 5 * 1024 * 1024

/** A picture below this that stands in the text of a mail is the logo of a signature, in bytes. */
const mostLogoBytes = 15_000

/** Whether a part of a mail is no file that somebody sent: what proves who wrote it, or what its signature shows. */
export const isOrnament = ({ mime, related, byteCount }: { mime: string; related: boolean; byteCount: number }) =>
  /^application\/(x-)?(pkcs7-signature|pgp-signature|pgp-encrypted)$/i.test(mime) ||
  (related && mime.startsWith('image/') && byteCount < mostLogoBytes)

/** Why a file of a mail is not kept, in the order in which it is said. */
export const lossWords = {
  large: `larger than ${mostMailFileBytes / 1024 / 1024} MB`,
  kind: 'neither a photo nor a PDF',
  unreadable: 'of a kind that we cannot read',
  many: `${mostMailFiles} are kept of one mail`,
} as const
export type Loss = keyof typeof lossWords

/** "2 files of this mail were not kept: larger than 5 MB." Null where all are. */
export const lostFilesWords = (losses: readonly Loss[]): string | null => {
  const said = (Object.keys(lossWords) as Loss[]).flatMap((loss) => {
    const count = losses.filter((one) => one === loss).length
    if (count === 0) return []
    return `${count === 1 ? 'A file of this mail was' : `${count} files of this mail were`} not kept: ${lossWords[loss]}.`
  })
  return said.length === 0 ? null : `${said.join(' ')} Ask for what is missing.`
}

/** How a file is called here: what its sender called it, on one line, without a path, ending as what it is. */
export const fileName = (name: string, ending: 'jpg' | 'pdf'): string => {
  const own = name
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Cf}"<>|:*?]+/gu, ' ')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .trim()
    .slice(0, 100)
  return `${own || (ending === 'pdf' ? 'Document' : 'Photo')}.${ending}`
}
