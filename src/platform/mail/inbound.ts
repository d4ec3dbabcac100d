import { createHash } from 'node:crypto'
import PostalMime from 'postal-mime'
import { config } from '../config.ts'

export type InboundMail = {
  /** The mail's own id, without brackets; empty when it has none. */
  messageId: string
  from: string
  fromName: string
  subject: string
  /** Its words without what it quotes. */
  text: string
  /** Written by a machine: an out-of-office note, a list, a report. Never answered, shown as such. */
  automatic: boolean
  /** What a delivery report says, or null when this is none. */
  report: { action: string; status: string; message: string } | null
}

const quoteStarts = [
  /^on .{5,200} wrote:\s*$/i,
  /^le .{5,200} a écrit\s*:\s*$/i,
  /^-{2,}\s*(original message|forwarded message)\s*-{2,}/i,
  /^_{20,}\s*$/,
  /^from:\s.+@.+/i,
]

/** What somebody wrote, without the mail it answers: everything from the quote on, and lines that begin with `>`. */
export const withoutQuote = (text: string): string => {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const at = lines.findIndex((line, index) => {
    // Some programs break the line that introduces the quote in two.
    const joined = `${line} ${lines[index + 1] ?? ''}`
    return quoteStarts.some((start) => start.test(line.trim())) || /^on .{5,200} wrote:\s*$/i.test(joined.trim())
  })
  const kept = (at < 0 ? lines : lines.slice(0, at)).filter((line) => !/^\s*>/.test(line))
  return kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const plainOf = (html: string): string =>
  html
    .replace(/<(style|script|head)[\s\S]*?<\/\1>/gi, '')
    .replace(/<blockquote[\s\S]*$/i, '')
    .replace(/<(br|\/p|\/div|\/li|\/tr)[^>]*>/gi, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;|&apos;/g, "'")
    .replace(/&amp;/g, '&')

const reportOf = (raw: string, contentType: string): InboundMail['report'] => {
  if (!/multipart\/report/i.test(contentType)) return null
  // The fields stand in a part of their own, which parsers hand out as an attachment or not at all: read them as they came.
  const field = (name: string): string => new RegExp(`^${name}:\\s*(.+)$`, 'im').exec(raw)?.[1]?.trim() ?? ''
  const action = field('Action').toLowerCase()
  if (!action) return null
  const message = field('Diagnostic-Code').replace(/^smtp;\s*/i, '')
  return { action, status: field('Status'), message: message.slice(0, 200) }
}

const attachedNote = (count: number): string =>
  count === 0
    ? ''
    : `\n\n(${count === 1 ? 'A file' : `${count} files`} came with this mail and ${count === 1 ? 'was' : 'were'} not saved.)`

/** Reads a mail as it came from the wire. HTML is only read for its words and never shown. */
export const parseInbound = async (raw: string): Promise<InboundMail> => {
  const mail = await PostalMime.parse(raw)
  const header = (name: string): string => mail.headers.find((one) => one.key === name)?.value ?? ''
  const auto = header('auto-submitted')
  return {
    messageId: (mail.messageId ?? '').replace(/[<>]/g, '').slice(0, 300),
    from: (mail.from?.address ?? '').toLowerCase().slice(0, 254),
    fromName: (mail.from?.name ?? '').slice(0, 120),
    subject: (mail.subject ?? '').slice(0, 300),
    text: `${withoutQuote(mail.text ?? plainOf(mail.html ?? '')).slice(0, 20_000)}${attachedNote(mail.attachments.length)}`.trim(),
    automatic:
      (auto !== '' && auto.trim().toLowerCase() !== 'no') ||
      /^(bulk|list|junk|auto_reply)$/i.test(header('precedence').trim()),
    report: reportOf(raw, header('content-type')),
  }
}

export type StrangerMail = {
  messageId: string
  from: string
  fromName: string
  subject: string
  /** All its words, with what it quotes: somebody may forward what was asked. */
  text: string
  /** Nobody wrote it to us: a list, a newsletter, a machine's answer, a report, or what a filter before us took for spam. */
  isBulk: boolean
}

const machines = /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|notifications?|root)([+.-].*)?@/i
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Reads a mail of somebody nobody knows. HTML is only read for its words and never shown. */
export const parseStrangerMail = async (raw: string): Promise<StrangerMail> => {
  const mail = await PostalMime.parse(raw)
  const header = (name: string): string => mail.headers.find((one) => one.key === name)?.value?.trim() ?? ''
  const has = (name: string): boolean => header(name) !== ''
  const from = (mail.from?.address ?? '').toLowerCase().slice(0, 254)
  const auto = header('auto-submitted').toLowerCase()
  const plain = mail.text ?? plainOf(mail.html ?? '')
  return {
    // Without an id of its own it is told apart by what stands in it.
    messageId:
      (mail.messageId ?? '').replace(/[<>]/g, '').slice(0, 300) || createHash('sha256').update(raw).digest('hex'),
    from,
    fromName: oneLine(mail.from?.name ?? '').slice(0, 120),
    subject: oneLine(mail.subject ?? '').slice(0, 300),
    text: `${plain
      .replace(/\r\n?/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
      .slice(0, 20_000)}${attachedNote(mail.attachments.length)}`.trim(),
    isBulk:
      !/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(from) ||
      machines.test(from) ||
      // our own, passed on by a mailbox: it may hold a link to sign in
      from === config.mailFrom.toLowerCase() ||
      (auto !== '' && auto !== 'no') ||
      /^(bulk|list|junk|auto_reply)$/i.test(header('precedence')) ||
      ['list-id', 'list-unsubscribe', 'x-autoreply', 'x-autorespond', 'x-loop', 'feedback-id'].some(has) ||
      /^yes/i.test(header('x-spam-flag')) ||
      /^yes/i.test(header('x-spam-status')) ||
      /multipart\/report/i.test(header('content-type')),
  }
}

export type ReceiptMail = {
  messageId: string
  from: string
  subject: string
  text: string
  /** What came with it, as it says it is. */
  files: { mime: string; name: string; bytes: Uint8Array }[]
}

/** Reads a mail for what came with it: a receipt, as a picture or a PDF. Nothing else of it is kept. */
export const parseReceiptMail = async (raw: string): Promise<ReceiptMail> => {
  const mail = await PostalMime.parse(raw)
  return {
    messageId: (mail.messageId ?? '').replace(/[<>]/g, '').slice(0, 300),
    from: (mail.from?.address ?? '').toLowerCase().slice(0, 254),
    subject: (mail.subject ?? '').slice(0, 300),
    text: (mail.text ?? plainOf(mail.html ?? '')).slice(0, 20_000),
    files: mail.attachments.map((one) => ({
      mime: one.mimeType,
      name: (one.filename ?? '').slice(0, 120),
      bytes: typeof one.content === 'string' ? Buffer.from(one.content) : new Uint8Array(one.content),
    })),
  }
}
