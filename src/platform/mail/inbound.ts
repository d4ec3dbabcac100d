import { createHash } from 'node:crypto'
import PostalMime, { type Email } from 'postal-mime'
import { clip, wireText } from '../../shared/wire-text.ts'
import { config } from '../config.ts'
import { isOurDomain, type ReturnTarget, readReturnAddress } from './addresses.ts'

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

/** So much of a mail's HTML is read for its words, and so many of its words. */
const mostHtml = 1_000_000
const mostWords = 20_000

/** Without the elements that hold no words, in one walk: a mail of nothing but openings is as quick as any other. */
const withoutUnread = (html: string): string => {
  let kept = ''
  let from = 0
  const open = new Set<string>()
  const openings = /<(style|script|head)\b/gi
  for (let found = openings.exec(html); found; found = openings.exec(html)) {
    const name = (found[1] ?? '').toLowerCase()
    if (open.has(name)) continue
    const closing = new RegExp(`</${name}>`, 'gi')
    closing.lastIndex = openings.lastIndex
    // One that is never closed is not looked for again.
    if (!closing.exec(html)) open.add(name)
    else {
      kept += html.slice(from, found.index)
      from = closing.lastIndex
      openings.lastIndex = from
    }
  }
  return kept + html.slice(from)
}

const plainOf = (html: string): string =>
  withoutUnread(html.slice(0, mostHtml))
    .replace(/<blockquote[\s\S]*$/i, '')
    .replace(/<(br|\/p|\/div|\/li|\/tr)[^<>]*>/gi, '\n')
    .replace(/<[^<>]+>/g, '')
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

/** Kinds of feedback that say "I do not want this"; `not-spam` and `virus` say something else. */
const complaints = new Set(['abuse', 'fraud', 'opt-out', 'opt-out-list', 'other'])
/** So many addresses of ours are looked for in what was complained of: it quotes one mail. */
const mostQuoted = 50

/**
 * The mail that a feedback report (RFC 5965) complains of: its quote holds the signed address that answers to it come to. Null for every other mail, and
 * where the quote leaves that address out.
 */
export const complaintOf = (raw: string): ReturnTarget | null => {
  const kind = /^Feedback-Type:\s*([a-z-]+)\s*$/im.exec(raw)?.[1]?.toLowerCase()
  if (!kind || !complaints.has(kind) || !/report-type="?feedback-report/i.test(raw)) return null
  let looked = 0
  for (const [address] of raw.matchAll(/[a-z0-9+.]{40,80}@[a-z0-9.-]{3,200}/gi)) {
    looked += 1
    if (looked > mostQuoted) return null
    const target = isOurDomain(address) ? readReturnAddress(address) : null
    if (target) return target
  }
  return null
}

/** A part of a mail that is not its words, as it says it is. */
export type MailFile = {
  mime: string
  name: string
  /** It stands in the text, as a pasted photo or the logo of a signature does. */
  related: boolean
  bytes: Uint8Array
}

const filesOf = (mail: Email): MailFile[] =>
  mail.attachments.map((one) => ({
    mime: one.mimeType.toLowerCase(),
    name: wireText(one.filename ?? '', 120),
    related: one.related ?? false,
    bytes: typeof one.content === 'string' ? Buffer.from(one.content) : new Uint8Array(one.content),
  }))

const idOf = (messageId: string | undefined): string => wireText((messageId ?? '').replace(/[<>]/g, ''), 300)

/** Reads a mail as it came from the wire. HTML is only read for its words and never shown. */
export const parseInbound = async (raw: string): Promise<InboundMail & { files: MailFile[] }> => {
  const mail = await PostalMime.parse(raw)
  const header = (name: string): string => mail.headers.find((one) => one.key === name)?.value ?? ''
  const auto = header('auto-submitted')
  return {
    messageId: idOf(mail.messageId),
    from: wireText(mail.from?.address ?? '', 254).toLowerCase(),
    fromName: wireText(mail.from?.name ?? '', 120),
    subject: wireText(mail.subject ?? '', 300),
    text: clip(withoutQuote(wireText(mail.text ?? plainOf(mail.html ?? ''), mostWords * 5)), mostWords).trim(),
    files: filesOf(mail),
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
  /** Whom an answer goes to, where that is one person's address and none of ours: a form or a portal writes for somebody else. */
  replyTo: { address: string; name: string } | null
  subject: string
  /** All its words, with what it quotes: somebody may forward what was asked. */
  text: string
  /** Nobody wrote it to us: a list, a newsletter, a machine's answer, a report, or what a filter before us took for spam. */
  isBulk: boolean
}

const isAddress = (text: string): boolean => /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]{2,}$/.test(text)
const machines =
  /^(mailer-daemon|postmaster|no-?reply|no_reply|do-?not-?reply|donotreply|bounces?|notifications?|root)([+._-].*)?@/i
/** Whether somebody reads what is written to an address. */
export const isPersonal = (address: string): boolean =>
  isAddress(address) && !machines.test(address) && address !== config.mailFrom.toLowerCase() && !isOurDomain(address)

const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const nameLine = (text: string): string => wireText(oneLine(text.slice(0, 1000)), 120)

/** Reads a mail of somebody nobody knows. HTML is only read for its words and never shown. */
export const parseStrangerMail = async (raw: string): Promise<StrangerMail & { files: MailFile[] }> => {
  const mail = await PostalMime.parse(raw)
  const header = (name: string): string => mail.headers.find((one) => one.key === name)?.value?.trim() ?? ''
  const has = (name: string): boolean => header(name) !== ''
  const from = wireText(mail.from?.address ?? '', 254).toLowerCase()
  // Two addresses are a group and nobody's; so is one that is written out as a group.
  const [only, ...others] = mail.replyTo ?? []
  const answered = wireText(only?.address ?? '', 254).toLowerCase()
  const replyTo =
    only && others.length === 0 && answered !== from && isPersonal(answered)
      ? { address: answered, name: nameLine(only.name ?? '') }
      : null
  // A form's own mail is made by a machine, and its sender counts who complains: neither says anything of whom it writes for.
  const isForSomebody = replyTo !== null && domainOf(replyTo.address) !== domainOf(from)
  const auto = header('auto-submitted').toLowerCase()
  const plain = wireText(mail.text ?? plainOf(mail.html ?? ''), mostWords * 5)
  return {
    // Without an id of its own it is told apart by what stands in it.
    messageId: idOf(mail.messageId) || createHash('sha256').update(raw).digest('hex'),
    from,
    fromName: nameLine(mail.from?.name ?? ''),
    replyTo,
    subject: wireText(oneLine((mail.subject ?? '').slice(0, 2000)), 300),
    text: clip(
      plain
        .replace(/\r\n?/g, '\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
      mostWords,
    ).trim(),
    files: filesOf(mail),
    isBulk:
      !isAddress(from) ||
      // our own, passed on by a mailbox: it may hold a link to sign in
      from === config.mailFrom.toLowerCase() ||
      /^(mailer-daemon|postmaster)@/.test(from) ||
      (auto !== '' && auto !== 'no' && !(isForSomebody && auto === 'auto-generated')) ||
      /^(bulk|list|junk|auto_reply)$/i.test(header('precedence')) ||
      ['list-id', 'list-unsubscribe', 'x-autoreply', 'x-autorespond', 'x-loop'].some(has) ||
      (has('feedback-id') && !isForSomebody) ||
      /^yes/i.test(header('x-spam-flag')) ||
      /^yes/i.test(header('x-spam-status')) ||
      /multipart\/report/i.test(header('content-type')),
  }
}

/** What stands behind the @ of an address. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** Who asks in a mail: its sender, or somebody for whom a form or a portal writes. */
export type Asking = { address: string; name: string /** The domain of who wrote for them. */; through: string | null }

/**
 * Who asks, or null where nobody does who could be answered.
 * @param isOwn whether an address is one of the business's own people
 */
export const askingIn = (
  mail: Pick<StrangerMail, 'from' | 'fromName' | 'text'> & { replyTo?: StrangerMail['replyTo'] | undefined },
  isOwn: (address: string) => boolean,
): Asking | null => {
  const { from, fromName, replyTo, text } = mail
  if (replyTo && !isOwn(replyTo.address))
    return {
      address: replyTo.address,
      name: replyTo.name || writtenName(text) || shownName(fromName),
      through: domainOf(from),
    }
  return isPersonal(from) ? { address: from, name: fromName, through: null } : null
}

/** "Name: Maya Brooks", as forms write it above the words. */
const writtenName = (text: string): string => {
  const found = /^[ \t*]*(?:your |full |customer |contact )?name[ \t*]*:[ \t*]*([^\n]{2,80})$/im.exec(
    text.slice(0, 4000),
  )
  const name = (found?.[1] ?? '').replaceAll('*', '').trim()
  return name.includes('@') || /https?:/i.test(name) ? '' : name
}

/** "Maya Brooks via Thumbtack" names her; the plain name of a sender is the portal's. */
const shownName = (fromName: string): string => /^(.{2,80}?) (?:via|through) \S/i.exec(fromName)?.[1] ?? ''

export type ReceiptMail = {
  messageId: string
  from: string
  subject: string
  text: string
  files: MailFile[]
}

/** Reads a mail for what came with it: a receipt, as a picture or a PDF. Nothing else of it is kept. */
export const parseReceiptMail = async (raw: string): Promise<ReceiptMail> => {
  const mail = await PostalMime.parse(raw)
  return {
    messageId: idOf(mail.messageId),
    from: wireText(mail.from?.address ?? '', 254).toLowerCase(),
    subject: wireText(mail.subject ?? '', 300),
    text: wireText(mail.text ?? plainOf(mail.html ?? ''), mostWords),
    files: filesOf(mail),
  }
}
